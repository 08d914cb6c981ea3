package roll.assemble;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import roll.api.option.UserException;

/** What a model's config.json says of the bundle it needs. */
final class ModelNeeds {
  private ModelNeeds() {}

  /**
   * The {@code model_type} of the model in {@code folder}.
   *
   * @throws UserException if it does not say
   */
  static String family(Path folder) {
    Path file = folder.resolve("config.json");
    try {
      JsonElement json = JsonParser.parseString(Files.readString(file));
      JsonElement type = json instanceof JsonObject object ? object.get("model_type") : null;
      if (type != null && type.isJsonPrimitive()) {
        return type.getAsString();
      }
    } catch (IOException | JsonParseException e) {
      throw new UserException(file + ": cannot be read as JSON", e);
    }
    throw new UserException(file + ": no model_type, which names the bundle that a model needs");
  }
}
