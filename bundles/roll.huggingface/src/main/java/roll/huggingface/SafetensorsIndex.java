package roll.huggingface;

import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import roll.api.option.PlainFile;
import roll.api.option.UserException;

/** The index of a sharded model: {@code weight_map} gives the shard of each tensor. */
public final class SafetensorsIndex {
  private SafetensorsIndex() {}

  /**
   * Reads the shards by tensor name.
   *
   * @throws UserException if the file is malformed or names a shard outside its folder
   */
  public static Map<String, String> read(Path file) {
    Map<String, String> shards = new LinkedHashMap<>();
    Set<String> fields = new HashSet<>();
    try (JsonReader json = new JsonReader(Files.newBufferedReader(PlainFile.require(file)))) {
      json.setStrictness(Strictness.STRICT);
      json.beginObject();
      while (json.hasNext()) {
        String field = json.nextName();
        if (!fields.add(field)) {
          throw new UserException(file + ": gives '" + field + "' twice");
        }
        if (field.equals("weight_map")) {
          weightMap(json, file, shards);
        } else {
          json.skipValue();
        }
      }
      json.endObject();
      if (json.peek() != JsonToken.END_DOCUMENT) {
        throw new UserException(file + ": has text after the index");
      }
    } catch (IOException | IllegalStateException | JsonParseException e) {
      throw new UserException(file + ": is not the JSON of a safetensors index", e);
    }
    if (shards.isEmpty()) {
      throw new UserException(file + ": weight_map is missing or empty");
    }
    return shards;
  }

  private static void weightMap(JsonReader json, Path file, Map<String, String> shards)
      throws IOException {
    json.beginObject();
    while (json.hasNext()) {
      String tensor = json.nextName();
      String shard = json.peek() == JsonToken.STRING ? json.nextString() : "";
      if (!shard.matches("[^/\\\\]+\\.safetensors")) {
        throw new UserException(
            file
                + ": weight_map of '"
                + tensor
                + "' is '"
                + shard
                + "', not a .safetensors file of this folder");
      }
      if (shards.put(tensor, shard) != null) {
        throw new UserException(file + ": weight_map names '" + tensor + "' twice");
      }
    }
    json.endObject();
  }
}
