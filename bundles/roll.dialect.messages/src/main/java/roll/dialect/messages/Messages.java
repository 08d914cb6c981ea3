package roll.dialect.messages;

import com.google.gson.JsonObject;
import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.openai.answer.Answer;
import roll.openai.answer.JsonAnswer;
import roll.openai.answer.ResponseHeader;
import roll.openai.answer.ResponseWriter;
import roll.openai.dialect.ChatJob;
import roll.openai.dialect.ChatModel;
import roll.openai.dialect.Dialect;
import roll.openai.request.ApiException;
import roll.openai.request.RequestFields;

/** Anthropic's Messages, and their count of tokens. */
@Component(name = "roll.dialect.messages")
public final class Messages implements Dialect {
  private static final String COUNT = "/v1/messages/count_tokens";

  @Override
  public List<String> paths() {
    return List.of("/v1/messages", COUNT);
  }

  @Override
  public Answer read(String path, String body, ChatModel model) throws InterruptedException {
    RequestFields fields = RequestFields.read(body, MessagesRequest.KNOWN);
    model.check(fields.text("model"));
    if (path.equals(COUNT)) {
      JsonObject json = new JsonObject();
      json.addProperty("input_tokens", model.count(MessagesRequest.read(fields, model, 1)));
      return new JsonAnswer(200, json);
    }
    if (!fields.has("max_tokens")) {
      throw ApiException.wrong("max_tokens", "max_tokens: Field required");
    }
    int most = (int) fields.integer("max_tokens", 1, 1, Integer.MAX_VALUE);
    ChatJob job = model.begin(MessagesRequest.read(fields, model, most));
    MessageFormat format = new MessageFormat(model.name());
    return new ResponseWriter(model.tokenizer(), job.generator(), job.spec(), format);
  }

  @Override
  public JsonObject error(ApiException refusal) {
    JsonObject json = failure(refusal);
    json.addProperty("request_id", ResponseHeader.id("req_", 24));
    return json;
  }

  /** Returns the error object of {@code refusal}, which is also an event of streams. */
  static JsonObject failure(ApiException refusal) {
    JsonObject error = new JsonObject();
    error.addProperty("type", type(refusal.status()));
    error.addProperty("message", refusal.getMessage());
    JsonObject json = new JsonObject();
    json.addProperty("type", "error");
    json.add("error", error);
    return json;
  }

  private static String type(int status) {
    return switch (status) {
      case 401 -> "authentication_error";
      case 403 -> "permission_error";
      case 404 -> "not_found_error";
      case 413 -> "request_too_large";
      case 429 -> "rate_limit_error";
      default -> status >= 500 ? "api_error" : "invalid_request_error";
    };
  }
}
