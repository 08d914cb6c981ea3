package roll.testkit;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Cases that a reference implementation computed: the resource {@code golden.json} beside a test
 * class, an object with {@code source} and {@code cases}.
 */
public final class GoldenCases {
  private GoldenCases() {}

  /** Returns the cases beside {@code test}. */
  public static List<Case> of(Class<?> test) {
    try (InputStream stream = test.getResourceAsStream("golden.json")) {
      if (stream == null) {
        throw new IllegalArgumentException("no golden.json beside " + test.getName());
      }
      JsonObject all =
          JsonParser.parseString(new String(stream.readAllBytes(), StandardCharsets.UTF_8))
              .getAsJsonObject();
      List<Case> cases = new ArrayList<>();
      all.getAsJsonArray("cases").forEach(one -> cases.add(new Case(one.getAsJsonObject())));
      return cases;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The inputs and results of a reference. */
  public record Case(JsonObject values) {
    /** Returns a text. */
    public String text(String name) {
      return values.get(name).getAsString();
    }

    /** Returns a number. */
    public double number(String name) {
      return values.get(name).getAsDouble();
    }

    /** Returns a list of numbers. */
    public double[] numbers(String name) {
      return numbers(values.getAsJsonArray(name));
    }

    /** Returns lists of numbers. */
    public double[][] rows(String name) {
      JsonArray rows = values.getAsJsonArray(name);
      return IntStream.range(0, rows.size())
          .mapToObj(i -> numbers(rows.get(i).getAsJsonArray()))
          .toArray(double[][]::new);
    }

    /** Returns lists of integers. */
    public int[][] integerRows(String name) {
      double[][] rows = rows(name);
      int[][] integers = new int[rows.length][];
      for (int i = 0; i < rows.length; i++) {
        integers[i] = integers(rows[i]);
      }
      return integers;
    }

    /** Returns a list of integers. */
    public int[] integers(String name) {
      return integers(numbers(name));
    }

    /** Returns the options {@code args}. */
    public Map<String, Object> args() {
      Map<String, Object> args = new TreeMap<>();
      values.getAsJsonObject("args").asMap().forEach((name, value) -> args.put(name, plain(value)));
      return args;
    }

    private static Object plain(JsonElement value) {
      JsonPrimitive primitive = value.getAsJsonPrimitive();
      if (primitive.isBoolean()) {
        return primitive.getAsBoolean();
      }
      return primitive.getAsDouble();
    }

    private static double[] numbers(JsonArray array) {
      return IntStream.range(0, array.size())
          .mapToDouble(i -> array.get(i).getAsDouble())
          .toArray();
    }

    private static int[] integers(double[] numbers) {
      return IntStream.range(0, numbers.length)
          .map(i -> Math.toIntExact(Math.round(numbers[i])))
          .toArray();
    }

    @Override
    public String toString() {
      return values.get("args").toString();
    }
  }
}
