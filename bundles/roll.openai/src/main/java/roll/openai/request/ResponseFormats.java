package roll.openai.request;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.Sampling;
import roll.api.strategy.StructuredOutput;

/** Parses what a response may be. The engine compiles and refuses schemas and expressions. */
public final class ResponseFormats {
  /** The parameter of vLLM. */
  static final String NAME = "structured_outputs";

  private ResponseFormats() {}

  /**
   * Returns {@code sampling} with the format in {@code json}, an object with a type: {@code text},
   * {@code json_object}, or {@code json_schema} with its {@code schema}.
   *
   * @param where name of the parameter
   * @throws ApiException if it has another form
   */
  public static Sampling apply(Sampling sampling, String where, @Nullable JsonElement json) {
    if (JsonParts.missing(json)) {
      return sampling;
    }
    JsonObject format = JsonParts.object(where, json);
    String type = JsonParts.text(where, format, "type");
    return switch (type) {
      case "text" -> sampling;
      case "json_object" -> with(sampling, where, StructuredOutput.Json.OBJECT);
      case "json_schema" -> {
        // chat completions have it one level below
        boolean below = !JsonParts.missing(format.get("json_schema"));
        JsonObject holder =
            below ? JsonParts.object(where + ".json_schema", format.get("json_schema")) : format;
        JsonElement schema = holder.get("schema");
        if (JsonParts.missing(schema)) {
          throw ApiException.invalid(where, "expected a schema");
        }
        yield with(sampling, where, new StructuredOutput.Json(String.valueOf(schema)));
      }
      default ->
          throw ApiException.invalid(
              where + ".type", "expected text, json_object or json_schema, found " + type);
    };
  }

  /**
   * Returns {@code sampling} with the parameter {@code structured_outputs} of vLLM.
   *
   * @throws ApiException if it does not name exactly one kind of texts
   */
  static Sampling apply(Sampling sampling, RequestFields fields) {
    if (!fields.has(NAME)) {
      return sampling;
    }
    JsonObject given = JsonParts.object(NAME, fields.get(NAME));
    String kind = given.size() == 1 ? given.keySet().iterator().next() : "";
    JsonElement value = given.get(kind);
    return switch (kind) {
      case "regex" ->
          with(sampling, NAME, new StructuredOutput.Regex(JsonParts.text(NAME, given, kind)));
      case "json" -> {
        boolean text = value instanceof JsonPrimitive primitive && primitive.isString();
        yield with(
            sampling,
            NAME,
            new StructuredOutput.Json(text ? value.getAsString() : String.valueOf(value)));
      }
      case "json_object" -> {
        if (!new JsonPrimitive(true).equals(value)) {
          throw ApiException.invalid(NAME + ".json_object", "expected true");
        }
        yield with(sampling, NAME, StructuredOutput.Json.OBJECT);
      }
      case "choice" -> {
        List<String> texts = new ArrayList<>();
        for (JsonElement one : value instanceof JsonArray list ? list : new JsonArray()) {
          texts.add(JsonParts.text(NAME + ".choice", one));
        }
        if (texts.isEmpty() || texts.contains("") || !sampling.allowedTokenIds().isEmpty()) {
          throw ApiException.invalid(NAME + ".choice", "expected texts, and no allowed_token_ids");
        }
        yield sampling.withChoices(texts);
      }
      default ->
          throw ApiException.invalid(
              NAME, "expected one of regex, json, json_object: true or choice");
    };
  }

  private static Sampling with(Sampling sampling, String where, StructuredOutput output) {
    if (sampling.structuredOutput() != null
        || !sampling.choices().isEmpty()
        || !sampling.allowedTokenIds().isEmpty()) {
      throw ApiException.invalid(
          where, "allowed is one of response formats, structured_outputs and allowed_token_ids");
    }
    return sampling.withStructuredOutput(output);
  }
}
