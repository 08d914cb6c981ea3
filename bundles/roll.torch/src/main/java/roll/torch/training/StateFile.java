package roll.torch.training;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.config.OptimizerName;
import roll.api.option.PlainFile;
import roll.api.option.UserException;
import roll.text.OneLine;
import roll.torch.ComputeFingerprint;
import roll.torch.LinearBackends.Shape;

/**
 * The file with the training progress and the compute fingerprint:
 *
 * <pre>
 *   {"steps": 48, "optimizer": "adamw", "processor": "AMD EPYC 9R45", "libtorch": "2.7.1", "threads": 2,
 *    "linear": {"896x4864": "onednn"}}
 * </pre>
 *
 * All other linear layers use libtorch's default.
 *
 * @param steps number of optimizer steps
 * @param optimizer whose moments the checkpoint has
 * @param machine compute fingerprint, or null if unknown
 */
record StateFile(long steps, OptimizerName optimizer, @Nullable ComputeFingerprint machine) {
  static final String NAME = "state.json";

  private static final Gson GSON = new Gson();
  private static final long MOST_BYTES = 1 << 16;
  private static final String OPTIMIZER = "optimizer";
  private static final String ONEDNN = "onednn";
  private static final String LIBTORCH = "libtorch";

  /** Writes the state file of a checkpoint. */
  void write(Path file) throws IOException {
    JsonObject json = new JsonObject();
    json.addProperty("steps", steps);
    json.addProperty(OPTIMIZER, optimizer.text());
    if (machine != null) {
      json.addProperty("processor", machine.processor());
      json.addProperty("libtorch", machine.libtorch());
      json.addProperty("threads", machine.threads());
      JsonObject linear = new JsonObject();
      machine.onednn().forEach(shape -> linear.addProperty(shape.toString(), ONEDNN));
      json.add("linear", linear);
    }
    Files.writeString(file, GSON.toJson(json) + "\n");
  }

  /**
   * Reads the state file of a checkpoint. Fields of the machine that an older file lacks are taken
   * from {@code here}; without an optimizer it is AdamW.
   *
   * @throws UserException if it is missing or damaged
   */
  static StateFile read(Path file, @Nullable ComputeFingerprint here) {
    Fields fields = new Fields(file, json(file));
    long steps = fields.whole("steps", 0, null);
    ComputeFingerprint machine =
        here == null
            ? null
            : new ComputeFingerprint(
                fields.text("processor", here.processor()),
                fields.text("libtorch", here.libtorch()),
                (int) fields.whole("threads", 1, (long) here.threads()),
                fields.shapes("linear", here.onednn()));
    return new StateFile(steps, fields.optimizer(), machine);
  }

  /**
   * Checks that the checkpoint continues with {@code wanted}.
   *
   * @param trainer the folder of the state
   * @throws UserException if it is of another optimizer
   */
  void require(Path trainer, OptimizerName wanted) {
    if (optimizer != wanted) {
      throw new UserException(
          "%s: is the state of optimizer %s, the run has %s: resume with %s, or start from the weights"
              .formatted(trainer, optimizer.text(), wanted.text(), optimizer.text()));
    }
  }

  private static JsonObject json(Path file) {
    if (!Files.exists(file)) {
      throw new UserException(file + ": missing, so this is no checkpoint of a trained model");
    }
    try {
      long bytes = Files.size(PlainFile.require(file));
      if (bytes > MOST_BYTES) {
        throw new UserException(
            "%s: expected at most %d bytes, found %d".formatted(file, MOST_BYTES, bytes));
      }
      JsonObject json = GSON.fromJson(Files.readString(file), JsonObject.class);
      return json == null ? new JsonObject() : json;
    } catch (IOException | JsonParseException e) {
      throw new UserException(file + ": is not the state of a checkpoint", e);
    }
  }

  /** The fields of the file; a field of another type than expected is refused. */
  private record Fields(Path file, JsonObject json) {
    /** Returns an integer of at most nine digits, or {@code otherwise} if it is missing. */
    long whole(String name, int least, @Nullable Long otherwise) {
      JsonElement found = json.get(name);
      if (found == null && otherwise != null) {
        return otherwise;
      }
      if (found instanceof JsonPrimitive number
          && number.isNumber()
          && number.getAsString().matches("\\d{1,9}")
          && number.getAsInt() >= least) {
        return number.getAsInt();
      }
      throw wrong(name, "an integer from %d to 999999999".formatted(least), found);
    }

    String text(String name, String otherwise) {
      JsonElement found = json.get(name);
      if (found == null) {
        return otherwise;
      }
      if (found instanceof JsonPrimitive text && text.isString()) {
        return text.getAsString();
      }
      throw wrong(name, "a text", found);
    }

    OptimizerName optimizer() {
      String name = text(OPTIMIZER, OptimizerName.ADAMW.text());
      return Stream.of(OptimizerName.values())
          .filter(optimizer -> optimizer.text().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  wrong(
                      OPTIMIZER,
                      Stream.of(OptimizerName.values())
                          .map(OptimizerName::text)
                          .collect(Collectors.joining(" or ")),
                      new JsonPrimitive(name)));
    }

    /** Returns the shapes that oneDNN multiplied. */
    SortedSet<Shape> shapes(String name, SortedSet<Shape> otherwise) {
      JsonElement found = json.get(name);
      if (found == null) {
        return otherwise;
      }
      if (!(found instanceof JsonObject ways)) {
        throw wrong(name, "an object such as {\"896x4864\": \"onednn\"}", found);
      }
      SortedSet<Shape> shapes = new TreeSet<>();
      for (var entry : ways.entrySet()) {
        Shape shape = Shape.parse(entry.getKey());
        if (shape == null) {
          throw wrong(name, "shapes such as 896x4864", new JsonPrimitive(entry.getKey()));
        }
        if (entry.getValue().equals(new JsonPrimitive(ONEDNN))) {
          shapes.add(shape);
        } else if (!entry.getValue().equals(new JsonPrimitive(LIBTORCH))) {
          throw wrong(name + "." + shape, "libtorch or onednn", entry.getValue());
        }
      }
      return shapes;
    }

    private UserException wrong(String name, String expected, @Nullable JsonElement found) {
      return new UserException(
          "%s: %s: expected %s, found %s"
              .formatted(
                  file, name, expected, found == null ? "nothing" : OneLine.of(found.toString())));
    }
  }
}
