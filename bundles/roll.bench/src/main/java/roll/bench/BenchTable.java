package roll.bench;

import java.io.PrintStream;
import java.util.Locale;

/** A table that is printed row by row while it is measured. */
final class BenchTable {
  private final PrintStream out;
  private final int[] widths;

  /** Prints the heading; columns have at least {@code width}. */
  BenchTable(PrintStream out, int width, String... titles) {
    this(out, 2 * width, width, titles);
  }

  /** Prints the heading; the first column has at least the width {@code first}. */
  BenchTable(PrintStream out, int first, int width, String... titles) {
    this.out = out;
    this.widths = new int[titles.length];
    for (int i = 0; i < titles.length; i++) {
      widths[i] = Math.max(titles[i].length(), i == 0 ? first : width);
    }
    print(titles);
  }

  /** Prints a row; numbers with about three digits. */
  void row(Object... cells) {
    String[] texts = new String[cells.length];
    for (int i = 0; i < cells.length; i++) {
      texts[i] = cells[i] instanceof Double number ? number(number) : String.valueOf(cells[i]);
    }
    print(texts);
  }

  private void print(String[] texts) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < texts.length; i++) {
      String space = " ".repeat(Math.max(0, widths[i] - texts[i].length()));
      line.append(i == 0 ? texts[i] + space : "  " + space + texts[i]);
    }
    out.println(line.toString().stripTrailing());
    out.flush();
  }

  /** Returns {@code number} with about three digits. */
  static String number(double number) {
    String format = number >= 100 ? "%,.0f" : number >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, number);
  }

  /** Returns {@code share} as a percentage. */
  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
