package roll.serve;

import roll.dialect.chat_completions.ChatCompletions;
import roll.dialect.messages.Messages;
import roll.dialect.responses.Responses;
import roll.openai.dialect.Dialects;

/** The server with every dialect. */
final class AllDialects {
  private AllDialects() {}

  static HttpModelServer server() {
    Dialects dialects = new Dialects();
    dialects.add(new ChatCompletions());
    dialects.add(new Messages());
    dialects.add(new Responses());
    return new HttpModelServer(dialects);
  }
}
