"""What paper five (Bell and Haverkort 2005) prints: its Tables 1, 2, 4, 5 and 6, and the numbers that its text gives of Figures 6 to 10."""

# Table 1: N: states, arcs, seconds to generate, to read, memory, seconds for four propositions, for a conjunction. None: not printed.
KANBAN = {
    1: (160, 616, 0.4, 0.2, "< 1 MB", 0.0, 0.0),
    2: (4_600, 28_120, 0.5, 0.2, "< 1 MB", 0.0, 0.0),
    3: (58_400, 446_400, 2.5, 0.4, "1.5 MB", 0.1, 0.0),
    4: (454_475, 3_979_850, 21.1, 0.6, "4.5 MB", 1.2, 0.0),
    5: (2_546_432, 24_460_016, 146.8, 2.8, "20 MB", 6.5, 0.2),
    6: (11_261_376, 115_708_992, 862.9, 14.0, "89 MB", 29.2, 0.7),
    7: (41_644_800, 450_455_040, 3075.0, 50.7, "326 MB", 108.0, 2.7),
    8: (133_865_325, 1_507_898_700, None, None, None, None, None),
    9: (383_933_678, 4_176_462_582, None, None, None, None, None),
}
# What they must be; the last row of the paper is not that of its own formula.
KANBAN_COUNTS = {**{n: row[:2] for n, row in KANBAN.items()}, 9: (384_392_800, 4_474_555_800)}
# Table 2: N: states, arcs, seconds; None: in parallel.
PHILOSOPHERS = {
    8: (103_682, 775_336, 8.3),
    9: (439_204, 3_694_923, 27.3),
    10: (1_860_498, 17_391_050, 148.7),
    11: (7_881_196, 81_036_637, 1028.3),
    12: (33_385_282, 374_483_676, None),
    13: (141_422_324, 1_718_533_167, None),
}
# Table 4: N: {test: (seconds, iterations)}.
KANBAN_TESTS = {
    1: {"B-EX": (0.2, 18), "F-EX": (0.2, 15), "S-EU": (0.2, 19), "O-EU": (0.2, 8)},
    2: {"B-EX": (2.4, 36), "F-EX": (3.6, 28), "S-EU": (0.4, 37), "O-EU": (0.4, 9)},
    3: {"B-EX": (47.7, 54), "F-EX": (73.9, 40), "S-EU": (3.1, 55), "O-EU": (2.7, 12)},
    4: {"B-EX": (558.9, 72), "F-EX": (881.5, 53), "S-EU": (25.6, 73), "O-EU": (22.0, 12)},
    5: {"B-EX": (4310.0, 90), "F-EX": (6622.0, 65), "S-EU": (155.2, 91), "O-EU": (129.1, 16)},
    6: {"B-EX": (22951.0, 108), "F-EX": (38055.0, 78), "S-EU": (747.1, 109), "O-EU": (596.9, 15)},
    7: {"B-EX": (100294.0, 126), "F-EX": (163500.0, 86), "S-EU": (2888.5, 127), "O-EU": (2252.5, 18)},
}
# Table 5.
PHILOSOPHER_TESTS = {
    8: {"B-EX": (105.1, 25), "O-EU": (7.5, 8)},
    9: {"B-EX": (648.7, 28), "O-EU": (39.4, 8)},
    10: {"B-EX": (4254.0, 31), "O-EU": (223.5, 8)},
    11: {"B-EX": (30781.6, 34), "O-EU": (1566.8, 9)},
}
# Table 6: N: eating, satisfying AU, seconds and iterations of AU, seconds of AG.
EATING = {
    8: (66_048, 90_816, 62.6, 6, 75.9),
    9: (298_752, 400_350, 329.9, 7, 392.5),
    10: (1_336_324, 1_743_424, 1921.3, 8, 2245.1),
    11: (5_924_952, 7_528_950, 13936.5, 9, 16166.3),
}
# The same for every table, rank count and option; what F-EX, O-EU and AU count depends on the order of a table (docs/testing.md).
FIXED_ITERATIONS = ("B-EX", "S-EU")
