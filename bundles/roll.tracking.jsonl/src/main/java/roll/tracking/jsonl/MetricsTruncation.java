package roll.tracking.jsonl;

import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.OptionalInt;
import roll.api.option.UserException;

/** The lines in the metrics file of a resumed run. */
final class MetricsTruncation {
  private MetricsTruncation() {}

  /**
   * Removes the lines of {@code firstStep} and later, and an incomplete last line. The new file is
   * renamed into place, so that a crash leaves either the old file or the new one. A missing file
   * stays missing.
   *
   * @throws UserException if a line but the last is not a metrics line, or the folder cannot be
   *     written
   */
  static void cutBack(Path file, int firstStep) {
    if (!Files.exists(file)) {
      return;
    }
    try {
      String text = Files.readString(file, StandardCharsets.UTF_8);
      Path beside = file.resolveSibling(file.getFileName() + ".new");
      Files.deleteIfExists(beside);
      Files.writeString(
          beside,
          kept(file, text, firstStep),
          StandardCharsets.UTF_8,
          StandardOpenOption.CREATE_NEW,
          StandardOpenOption.WRITE);
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be cut back to step " + firstStep + ": " + e, e);
    }
  }

  private static String kept(Path file, String text, int firstStep) {
    StringBuilder kept = new StringBuilder();
    int number = 1;
    for (int start = 0; start < text.length(); number++) {
      int newline = text.indexOf('\n', start);
      if (newline < 0) {
        break; // the last line is incomplete
      }
      String line = text.substring(start, newline);
      OptionalInt step = step(line);
      if (step.isPresent() && step.getAsInt() < firstStep) {
        kept.append(line).append('\n');
      } else if (step.isEmpty() && newline + 1 < text.length()) {
        throw new UserException(
            file + " line " + number + ": expected {\"step\":…,\"metrics\":{…}}, found " + line);
      }
      start = newline + 1;
    }
    return kept.toString();
  }

  /** Returns the step of a metrics line; empty if {@code line} is not one. */
  private static OptionalInt step(String line) {
    try {
      JsonElement json = JsonParser.parseString(line);
      return json.isJsonObject() && json.getAsJsonObject().has("step")
          ? OptionalInt.of(json.getAsJsonObject().get("step").getAsInt())
          : OptionalInt.empty();
    } catch (JsonParseException
        | NumberFormatException
        | UnsupportedOperationException
        | IllegalStateException e) {
      return OptionalInt.empty();
    }
  }
}
