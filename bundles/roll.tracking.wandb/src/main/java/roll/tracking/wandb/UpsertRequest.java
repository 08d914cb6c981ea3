package roll.tracking.wandb;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The GraphQL mutation that creates a run, or finds the one with the name. */
final class UpsertRequest {
  private static final String QUERY =
      """
      mutation UpsertBucket($name: String, $project: String, $entity: String, \
      $displayName: String, $groupName: String, $tags: [String!], $config: JSONString) {
        upsertBucket(input: {name: $name, modelName: $project, entityName: $entity, \
      displayName: $displayName, groupName: $groupName, tags: $tags, config: $config}) {
          bucket { id name displayName historyLineCount project { name entity { name } } }
          inserted
        }
      }
      """;
  private static final Gson GSON =
      new GsonBuilder().disableHtmlEscaping().serializeNulls().create();

  private UpsertRequest() {}

  /**
   * The run at the wandb server.
   *
   * @param lines number of lines of its history
   */
  record Bucket(String entity, String project, int lines) {}

  /** Returns the request for the run {@code id}, with the configuration in {@code folder}. */
  static JsonObject body(String id, WandbDescription description, Path folder) {
    JsonObject variables = new JsonObject();
    variables.addProperty("name", id);
    variables.addProperty("project", description.project());
    variables.addProperty("entity", description.entity());
    variables.addProperty("displayName", description.name());
    variables.addProperty("groupName", description.group());
    JsonArray tags = new JsonArray();
    description.tags().forEach(tags::add);
    variables.add("tags", tags.isEmpty() ? JsonNull.INSTANCE : tags);
    JsonObject config = new JsonObject();
    RunConfigFile.read(folder)
        .forEach(
            (key, value) -> {
              JsonObject entry = new JsonObject();
              entry.add("value", GSON.toJsonTree(value));
              config.add(key, entry);
            });
    variables.addProperty("config", GSON.toJson(config));
    JsonObject body = new JsonObject();
    body.addProperty("operationName", "UpsertBucket");
    body.addProperty("query", QUERY);
    body.add("variables", variables);
    return body;
  }

  /** Returns the run in the server's {@code answer}; null if there is none. */
  static @Nullable Bucket read(JsonObject answer) {
    if (answer.get("data") instanceof JsonObject data
        && data.get("upsertBucket") instanceof JsonObject upsert
        && upsert.get("bucket") instanceof JsonObject bucket
        && bucket.get("project") instanceof JsonObject project
        && project.get("entity") instanceof JsonObject entity
        && project.has("name")
        && entity.has("name")) {
      JsonElement lines = bucket.get("historyLineCount");
      return new Bucket(
          entity.get("name").getAsString(),
          project.get("name").getAsString(),
          lines == null || lines.isJsonNull() ? 0 : lines.getAsInt());
    }
    return null;
  }
}
