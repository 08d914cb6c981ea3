package roll.agent.types;

import com.google.gson.FormattingStyle;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.math.BigDecimal;

/**
 * Writes values as JSON the way Python's {@code json.dumps(value, ensure_ascii=False)} does: {@code
 * ", "} and {@code ": "} between them, numbers as Python prints them. Nulls in mappings are
 * dropped.
 */
final class JsonTexts {
  private static final Gson LINE =
      builder(FormattingStyle.COMPACT.withSpaceAfterSeparators(true)).create();
  private static final Gson LINES = builder(FormattingStyle.PRETTY.withIndent("    ")).create();

  private JsonTexts() {}

  private static GsonBuilder builder(FormattingStyle style) {
    return new GsonBuilder()
        .disableHtmlEscaping()
        .setFormattingStyle(style)
        .registerTypeAdapter(Double.class, new Decimal());
  }

  /**
   * Returns {@code value} as JSON in one line.
   *
   * @throws IllegalArgumentException if it has a number that is not finite
   */
  static String line(Object value) {
    return LINE.toJson(value);
  }

  /** Returns {@code value} on several lines, indented by four spaces. */
  static String lines(Object value) {
    return LINES.toJson(value);
  }

  /** Numbers as Python prints them: {@code 10000000.0}, {@code 1e+20}, {@code 1.5e-07}. */
  private static final class Decimal extends TypeAdapter<Double> {
    @Override
    public void write(JsonWriter out, Double value) throws IOException {
      double size = Math.abs(value);
      String text = Double.toString(value);
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException(text + " is not a JSON number");
      }
      if (size >= 1e-4 && size < 1e16) {
        String plain = new BigDecimal(text).toPlainString();
        out.jsonValue(plain.contains(".") ? plain : plain + ".0");
      } else if (size == 0) {
        out.jsonValue(text);
      } else {
        String[] parts = text.split("E", 2);
        int exponent = Integer.parseInt(parts[1]);
        out.jsonValue(parts[0].replaceFirst("\\.0$", "") + "e%+03d".formatted(exponent));
      }
    }

    @Override
    public Double read(JsonReader in) throws IOException {
      return in.nextDouble();
    }
  }
}
