package roll.reward.guideline;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/** The solver's scores without a guideline, by question. */
final class SolverBaselines {
  private static final List<String> NAMES = List.of("accuracy", "baseline", "acc");

  private final ConcurrentMap<String, Double> accuracies;

  /** Creates baselines with the scores {@code known}. */
  SolverBaselines(Map<String, Double> known) {
    accuracies = new ConcurrentHashMap<>(known);
  }

  /**
   * Reads the scores in {@code file}: a JSON object of numbers by question, or rows with {@code
   * question} and {@code accuracy} as a JSON array or JSONL.
   *
   * @throws UserException if it cannot be read, with the row
   */
  static SolverBaselines read(Path file) {
    try {
      Map<String, Double> known = new HashMap<>();
      if (file.toString().endsWith(".jsonl")) {
        int line = 0;
        for (String text : Files.readAllLines(file)) {
          line++;
          if (!text.isBlank()) {
            add(known, text, file + ":" + line);
          }
        }
      } else {
        add(known, Files.readString(file), file.toString());
      }
      return new SolverBaselines(known);
    } catch (IOException e) {
      throw new UserException("baselines_path: cannot read " + file, e);
    }
  }

  /** Returns the score of {@code question}, or null if unknown. */
  @Nullable Double of(String question) {
    return accuracies.get(question);
  }

  /** Records the score of {@code question}. */
  void put(String question, double accuracy) {
    accuracies.putIfAbsent(question, accuracy);
  }

  private static void add(Map<String, Double> known, String json, String where) {
    JsonElement content;
    try {
      content = JsonParser.parseString(json);
    } catch (JsonParseException e) {
      throw wrong(where, e);
    }
    switch (content) {
      case JsonArray rows -> rows.forEach(row -> addRow(known, row, where));
      case JsonObject object when object.has("question") -> addRow(known, object, where);
      case JsonObject object ->
          object
              .entrySet()
              .forEach(entry -> known.put(entry.getKey(), number(entry.getValue(), where)));
      default -> throw wrong(where, null);
    }
  }

  private static void addRow(Map<String, Double> known, JsonElement row, String where) {
    if (row instanceof JsonObject object
        && object.get("question") instanceof JsonPrimitive question) {
      for (String name : NAMES) {
        if (object.has(name)) {
          known.put(question.getAsString(), number(object.get(name), where));
          return;
        }
      }
    }
    throw wrong(where, null);
  }

  private static double number(JsonElement value, String where) {
    try {
      double number = value.getAsDouble();
      if (number >= 0 && number <= 1) {
        return number;
      }
    } catch (UnsupportedOperationException | IllegalStateException | NumberFormatException e) {
      throw wrong(where, e);
    }
    throw wrong(where, null);
  }

  private static UserException wrong(String where, @Nullable Throwable cause) {
    String line =
        "baselines_path: "
            + where
            + ": expected {\"question\": …, \"accuracy\": …} or {question: accuracy, …}, with"
            + " accuracies from 0 to 1";
    return cause == null ? new UserException(line) : new UserException(line, cause);
  }
}
