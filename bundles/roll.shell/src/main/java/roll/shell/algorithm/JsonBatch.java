package roll.shell.algorithm;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.option.PlainFile;
import roll.api.option.UserException;
import roll.shell.terminal.Json;
import roll.text.Suggestion;

/**
 * A batch read from a JSON object of columns. A column is a list of rows, one per sample with one
 * number per token, or a list with one number or name per sample. Rows may differ in length.
 */
final class JsonBatch {
  private static final int MOST_SHOWN = 80;

  private final String where;
  private final JsonObject columns;

  private JsonBatch(String where, JsonObject columns) {
    this.where = where;
    this.columns = columns;
  }

  /**
   * Reads the batch of the JSON file {@code file}.
   *
   * @param known allowed columns
   * @throws UserException if it is not a JSON object or has another column
   */
  static JsonBatch read(Path file, Collection<String> known) {
    try {
      JsonElement root = JsonParser.parseString(Files.readString(PlainFile.require(file)));
      if (!root.isJsonObject()) {
        throw new UserException(file + ": expected a JSON object with columns");
      }
      for (String name : root.getAsJsonObject().keySet()) {
        if (!known.contains(name)) {
          throw new UserException(
              "%s: unknown column '%s' (allowed: %s)%s"
                  .formatted(
                      file, shown(name), String.join(", ", known), Suggestion.near(name, known)));
        }
      }
      return new JsonBatch(file.toString(), root.getAsJsonObject());
    } catch (NoSuchFileException e) {
      throw new UserException("no file '" + file + "'", e);
    } catch (IOException e) {
      throw new UserException("'" + file + "' cannot be read: " + e.getMessage(), e);
    } catch (JsonParseException e) {
      throw new UserException(file + ": not JSON: " + Json.reason(e), e);
    }
  }

  /** Returns whether there is a column {@code name}. */
  boolean has(String name) {
    return columns.has(name);
  }

  /**
   * Returns the rows of {@code name}; true and false count as 1 and 0.
   *
   * @throws UserException if the column is missing or not rows of numbers
   */
  double[][] rows(String name) {
    JsonArray rows = list(name, required(name));
    double[][] numbers = new double[rows.size()][];
    for (int i = 0; i < numbers.length; i++) {
      JsonArray row = list(name + "[" + i + "]", rows.get(i));
      numbers[i] = new double[row.size()];
      for (int t = 0; t < numbers[i].length; t++) {
        numbers[i][t] = number(name + "[" + i + "][" + t + "]", row.get(t));
      }
    }
    return numbers;
  }

  /**
   * Returns the rows of {@code name}, which must be as long as those of {@code like}.
   *
   * @throws UserException if they are not
   */
  double[][] rows(String name, double[][] like) {
    double[][] rows = rows(name);
    count(name, rows.length, like.length, "rows");
    for (int i = 0; i < rows.length; i++) {
      count(name + "[" + i + "]", rows[i].length, like[i].length, "numbers");
    }
    return rows;
  }

  /** Returns the column {@code response_mask}, in rows as long as those of {@code like}. */
  int[][] mask(double[][] like) {
    return Arrays.stream(rows("response_mask", like))
        .map(row -> Arrays.stream(row).mapToInt(m -> m != 0 ? 1 : 0).toArray())
        .toArray(int[][]::new);
  }

  /** Returns {@code cells} in rows, row i from {@code offsets[i]} to {@code offsets[i + 1]}. */
  static double[][] rows(double[] cells, int[] offsets) {
    double[][] rows = new double[offsets.length - 1][];
    Arrays.setAll(
        rows,
        i ->
            Arrays.stream(cells, offsets[i], offsets[i + 1])
                .map(x -> x + 0.0) // no −0
                .toArray());
    return rows;
  }

  /**
   * Returns one number for each of {@code samples}.
   *
   * @throws UserException if the column is missing or something else
   */
  double[] numbers(String name, int samples) {
    JsonArray list = list(name, required(name));
    count(name, list.size(), samples, "numbers");
    double[] numbers = new double[samples];
    for (int i = 0; i < samples; i++) {
      numbers[i] = number(name + "[" + i + "]", list.get(i));
    }
    return numbers;
  }

  /**
   * Returns the names of {@code samples}, numbered in order of first appearance.
   *
   * @throws UserException if the column is missing or something else
   */
  int[] groups(String name, int samples) {
    JsonArray list = list(name, required(name));
    count(name, list.size(), samples, "names");
    Map<JsonElement, Integer> ids = new LinkedHashMap<>();
    return list.asList().stream()
        .mapToInt(group -> ids.computeIfAbsent(group, key -> ids.size()))
        .toArray();
  }

  /** Returns a row of names for each sample, numbered separately in each of {@code groups}. */
  List<int[]> states(String name, int[] groups) {
    JsonArray rows = list(name, required(name));
    count(name, rows.size(), groups.length, "rows");
    Map<List<Object>, Integer> ids = new LinkedHashMap<>();
    List<int[]> states = new ArrayList<>();
    for (int i = 0; i < groups.length; i++) {
      int group = groups[i];
      states.add(
          list(name + "[" + i + "]", rows.get(i)).asList().stream()
              .mapToInt(state -> ids.computeIfAbsent(List.of(group, state), key -> ids.size()))
              .toArray());
    }
    return states;
  }

  /** Returns the error that {@code name} has the wrong size or content. */
  UserException wrong(String name, String what) {
    return new UserException(where + ": " + name + ": " + what);
  }

  private void count(String name, int found, int expected, String things) {
    if (found != expected) {
      throw wrong(name, "expected " + expected + " " + things + ", found " + found);
    }
  }

  private JsonElement required(String name) {
    JsonElement column = columns.get(name);
    if (column == null) {
      throw new UserException(where + ": column '" + name + "' is missing");
    }
    return column;
  }

  private JsonArray list(String name, JsonElement element) {
    if (!element.isJsonArray()) {
      throw wrong(name, "expected a list, found '" + shown(element.toString()) + "'");
    }
    return element.getAsJsonArray();
  }

  private double number(String name, JsonElement element) {
    if (element instanceof JsonPrimitive value) {
      if (value.isBoolean()) {
        return value.getAsBoolean() ? 1 : 0;
      }
      if (value.isNumber() && Double.isFinite(value.getAsDouble())) {
        return value.getAsDouble();
      }
    }
    throw wrong(name, "expected a number, found '" + shown(element.toString()) + "'");
  }

  private static String shown(String text) {
    return text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text;
  }
}
