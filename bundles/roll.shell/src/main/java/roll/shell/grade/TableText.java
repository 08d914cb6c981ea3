package roll.shell.grade;

/** Text of somebody else's, fit for a cell of a table. */
final class TableText {
  private static final int SHOWN = 40;

  private TableText() {}

  /**
   * {@code value} in one line of at most 40 characters: control characters, which could change a
   * terminal, are written as escapes.
   */
  static String of(Object value) {
    StringBuilder cell = new StringBuilder();
    int[] points = String.valueOf(value).codePoints().limit(SHOWN + 1L).toArray();
    for (int i = 0; i < Math.min(points.length, SHOWN); i++) {
      switch (points[i]) {
        case '\n' -> cell.append("\\n");
        case '\t' -> cell.append("\\t");
        default -> {
          boolean control =
              Character.isISOControl(points[i])
                  || Character.getType(points[i]) == Character.FORMAT
                  || points[i] == 0x2028
                  || points[i] == 0x2029;
          cell.append(control ? "\\u%04x".formatted(points[i]) : Character.toString(points[i]));
        }
      }
    }
    return points.length > SHOWN ? cell.append('…').toString() : cell.toString();
  }
}
