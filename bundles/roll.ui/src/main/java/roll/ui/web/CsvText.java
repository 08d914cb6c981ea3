package roll.ui.web;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.runtime.option.SecretRedactor;

/** Rows of values separated by commas (RFC 4180), without secrets. */
public final class CsvText {
  /** The media type of the text. */
  public static final String TYPE = "text/csv; charset=utf-8";

  /** A text that begins with one of these is a formula to programs that open the file. */
  private static final String FORMULA = "=+-@\t\r";

  private final StringBuilder text = new StringBuilder();

  /** Creates a text without rows. */
  public CsvText() {}

  /** Adds a row; null is an empty value. */
  public void row(List<? extends @Nullable Object> values) {
    text.append(values.stream().map(CsvText::cell).collect(Collectors.joining(","))).append("\r\n");
  }

  private static String cell(@Nullable Object value) {
    if (value == null || value instanceof Number) {
      return value == null ? "" : value.toString();
    }
    String shown = SecretRedactor.hidden(value.toString());
    boolean formula = !shown.isEmpty() && FORMULA.indexOf(shown.charAt(0)) >= 0;
    return '"' + (formula ? "'" : "") + shown.replace("\"", "\"\"") + '"';
  }

  /** Returns all rows. */
  @Override
  public String toString() {
    return text.toString();
  }
}
