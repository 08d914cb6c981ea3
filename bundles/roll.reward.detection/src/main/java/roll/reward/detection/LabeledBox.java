package roll.reward.detection;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object in a picture: its label and the corners of its box, the first one top left.
 *
 * @param label in lower case
 */
record LabeledBox(String label, double left, double top, double right, double bottom) {
  private static final String OPEN = "<answer>";
  private static final String CLOSE = "</answer>";

  /**
   * Reads the objects between the first {@code <answer>} and {@code </answer>} of {@code text}: a
   * JSON list of mappings with {@code label} and {@code bbox_2d}, also in Python's quotes, doubled
   * brackets, or cut after an object. Other mappings, and further objects with the same box, are
   * left out.
   *
   * @return the objects in their order; empty if there is none
   */
  static List<LabeledBox> in(String text) {
    int open = text.indexOf(OPEN);
    int close = open < 0 ? -1 : text.indexOf(CLOSE, open);
    if (close < 0) {
      return List.of();
    }
    String list =
        text.substring(open + OPEN.length(), close)
            .strip()
            .toLowerCase(Locale.ROOT)
            .replace("[[", "[")
            .replace("]]", "]");
    if (!list.endsWith("]")) {
      int last = list.lastIndexOf("},");
      list = (last < 0 ? list : list.substring(0, last)) + "}]";
    }
    try (JsonReader reader =
        new JsonReader(new StringReader(list.replace('\'', '"').replace("\\", "")))) {
      reader.setStrictness(Strictness.STRICT);
      JsonElement parsed = JsonParser.parseReader(reader);
      return parsed instanceof JsonArray array && reader.peek() == JsonToken.END_DOCUMENT
          ? objects(array)
          : List.of();
    } catch (JsonParseException | IOException e) {
      return List.of();
    }
  }

  private static List<LabeledBox> objects(JsonArray array) {
    List<LabeledBox> boxes = new ArrayList<>();
    Set<List<Double>> places = new HashSet<>();
    for (JsonElement element : array) {
      if (element instanceof JsonObject object && isText(object.get("label"))) {
        corners(object.get("bbox_2d"))
            .filter(places::add)
            .ifPresent(
                at ->
                    boxes.add(
                        new LabeledBox(
                            object.get("label").getAsString(),
                            at.get(0),
                            at.get(1),
                            at.get(2),
                            at.get(3))));
      }
    }
    return List.copyOf(boxes);
  }

  private static boolean isText(@Nullable JsonElement value) {
    return value != null && value.isJsonPrimitive() && value.getAsJsonPrimitive().isString();
  }

  private static Optional<List<Double>> corners(@Nullable JsonElement value) {
    if (!(value instanceof JsonArray numbers) || numbers.size() != 4) {
      return Optional.empty();
    }
    List<Double> corners = new ArrayList<>();
    for (JsonElement number : numbers) {
      if (!number.isJsonPrimitive()
          || !number.getAsJsonPrimitive().isNumber()
          || !Double.isFinite(number.getAsDouble())) {
        return Optional.empty();
      }
      corners.add(number.getAsDouble());
    }
    boolean ordered = corners.get(0) <= corners.get(2) && corners.get(1) <= corners.get(3);
    return ordered ? Optional.of(corners) : Optional.empty();
  }

  /** Returns this box in whole thousandths of a picture of {@code width} by {@code height}. */
  LabeledBox inThousandths(int width, int height) {
    return new LabeledBox(
        label,
        (long) (left / width * 1000),
        (long) (top / height * 1000),
        (long) (right / width * 1000),
        (long) (bottom / height * 1000));
  }

  /** The area in common with {@code other} divided by the area of both; 0 if there is none. */
  double overlap(LabeledBox other) {
    double width = Math.min(right, other.right) - Math.max(left, other.left);
    double height = Math.min(bottom, other.bottom) - Math.max(top, other.top);
    if (width <= 0 || height <= 0) {
      return 0;
    }
    double common = width * height;
    return common / (area() + other.area() - common);
  }

  private double area() {
    return (right - left) * (bottom - top);
  }
}
