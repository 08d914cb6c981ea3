package roll.dialect.chat_completions;

import com.google.gson.JsonObject;
import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.openai.answer.Answer;
import roll.openai.answer.ResponseWriter;
import roll.openai.dialect.ChatJob;
import roll.openai.dialect.ChatModel;
import roll.openai.dialect.Dialect;
import roll.openai.request.ApiException;
import roll.openai.request.RequestFields;
import roll.openai.request.SamplingParams;

/** OpenAI's chat completions. */
@Component(name = "roll.dialect.chat_completions")
public final class ChatCompletions implements Dialect {
  @Override
  public List<String> paths() {
    return List.of("/v1/chat/completions");
  }

  @Override
  public Answer read(String path, String body, ChatModel model) throws InterruptedException {
    RequestFields fields = RequestFields.read(body, ChatRequest.KNOWN);
    model.check(fields.text("model"));
    ChatResponseFormat format = new ChatResponseFormat(model.name(), SamplingParams.usage(fields));
    ChatJob job = model.begin(ChatRequest.read(fields, model));
    return new ResponseWriter(model.tokenizer(), job.generator(), job.spec(), format);
  }

  @Override
  public JsonObject error(ApiException refusal) {
    return refusal.json();
  }
}
