package roll.dialect.responses;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.openai.answer.Answer;
import roll.openai.answer.JsonAnswer;
import roll.openai.answer.ResponseWriter;
import roll.openai.dialect.ChatJob;
import roll.openai.dialect.ChatModel;
import roll.openai.dialect.Dialect;
import roll.openai.request.ApiException;
import roll.openai.request.ChatCall;
import roll.openai.request.ChatMessages;
import roll.openai.request.RequestFields;

/** OpenAI's Responses. */
@Component(name = "roll.dialect.responses")
public final class Responses implements Dialect {
  @Override
  public List<String> paths() {
    return List.of("/v1/responses");
  }

  @Override
  public Answer read(String path, String body, ChatModel model) throws InterruptedException {
    RequestFields fields = RequestFields.read(body, ResponsesRequest.KNOWN);
    model.check(fields.text("model"));
    ChatMessages before = before(fields.text(ResponsesRequest.PREVIOUS), model);
    ChatCall call = ResponsesRequest.read(fields, before, model);
    ResponseObject response = new ResponseObject(fields, model.name());
    ChatJob job = model.begin(call);
    ItemFormat format =
        new ItemFormat(
            response,
            ResponsesRequest.included(fields),
            (reply, whole) -> {
              if (!fields.has("store") || fields.flag("store")) {
                ChatMessages said = withoutInstructions(fields, call.said()).with(reply);
                model
                    .conversations()
                    .put(response.id(), said, JsonAnswer.text(whole), items(whole));
              }
            });
    return new ResponseWriter(model.tokenizer(), job.generator(), job.spec(), format);
  }

  /** Returns the items of {@code response} by id. */
  private static Map<String, JsonObject> items(JsonObject response) {
    Map<String, JsonObject> items = new HashMap<>();
    for (JsonElement item : response.getAsJsonArray("output")) {
      items.put(item.getAsJsonObject().get("id").getAsString(), item.getAsJsonObject());
    }
    return items;
  }

  /** Returns or forgets a stored response. */
  @Override
  public Answer stored(String method, String path, @Nullable String query, ChatModel model) {
    String id = path.substring(path.lastIndexOf('/') + 1);
    if (query != null && !query.isEmpty()) {
      throw ApiException.status(400, "Unsupported query: '" + query + "'.", null);
    }
    return switch (method) {
      case "GET" -> {
        String response = model.conversations().response(id);
        if (response == null) {
          throw unknown(id);
        }
        byte[] body = response.getBytes(StandardCharsets.UTF_8);
        yield exchange -> exchange.send(200, "application/json", body);
      }
      case "DELETE" -> {
        if (!model.conversations().remove(id)) {
          throw unknown(id);
        }
        JsonObject deleted = new JsonObject();
        deleted.addProperty("id", id);
        deleted.addProperty("object", "response");
        deleted.addProperty("deleted", true);
        yield new JsonAnswer(200, deleted);
      }
      default ->
          throw ApiException.status(
              405, "Not allowed to " + method + " here, only to GET and DELETE.", null);
    };
  }

  private static ApiException unknown(String id) {
    return ApiException.status(404, "Response with id '" + id + "' not found.", null);
  }

  private static ChatMessages before(@Nullable String id, ChatModel model) {
    if (id == null) {
      return ResponsesRequest.NOTHING;
    }
    ChatMessages before = model.conversations().get(id);
    if (before == null) {
      throw new ApiException(
          400,
          "invalid_request_error",
          "Previous response with id '" + id + "' not found.",
          ResponsesRequest.PREVIOUS,
          "previous_response_not_found");
    }
    return before;
  }

  /** Returns {@code said} without the instructions, which hold for one request. */
  private static ChatMessages withoutInstructions(RequestFields fields, ChatMessages said) {
    return fields.has(ResponsesRequest.INSTRUCTIONS)
        ? new ChatMessages(
            said.messages().subList(1, said.messages().size()), said.tools(), said.pictures())
        : said;
  }

  @Override
  public JsonObject error(ApiException refusal) {
    return refusal.json();
  }
}
