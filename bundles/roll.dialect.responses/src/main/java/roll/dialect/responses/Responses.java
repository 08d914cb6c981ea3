package roll.dialect.responses;

import com.google.gson.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.openai.answer.Answer;
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
            reply -> {
              if (!fields.has("store") || fields.flag("store")) {
                ChatMessages said = withoutInstructions(fields, call.said());
                model.conversations().put(response.id(), said.with(reply));
              }
            });
    return new ResponseWriter(model.tokenizer(), job.generator(), job.spec(), format);
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
