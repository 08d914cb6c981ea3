package roll.template;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.option.PlainFile;
import roll.api.option.UserException;

/** The files of a model folder. */
final class JsonFile {
  private static final Gson GSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  private JsonFile() {}

  /**
   * Reads the text of the file {@code file} of a model folder.
   *
   * @throws UserException if it cannot be read
   */
  static String text(Path file) {
    try {
      return PlainFile.text(file);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read as UTF-8 text", e);
    }
  }

  /**
   * Reads the JSON object in {@code file}; empty if there is no such file.
   *
   * @throws UserException if the file holds something else
   */
  static Map<String, @Nullable Object> object(Path file) {
    if (!Files.isRegularFile(file)) {
      return new LinkedHashMap<>();
    }
    try {
      Map<String, @Nullable Object> object =
          GSON.<Map<String, @Nullable Object>>fromJson(
              text(file), new TypeToken<Map<String, @Nullable Object>>() {});
      if (object == null) {
        throw new UserException(file + ": is empty");
      }
      return object;
    } catch (JsonParseException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e); // Gson names its class before
      String reason = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
      throw new UserException(file + ": is not a JSON object: " + reason, e);
    }
  }
}
