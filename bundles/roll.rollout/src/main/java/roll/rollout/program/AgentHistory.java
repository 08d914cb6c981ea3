package roll.rollout.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.rollout.ChatFormat;
import roll.api.strategy.Generation;
import roll.openai.answer.SentAnswer;
import roll.openai.request.ApiException;
import roll.openai.request.ChatMessages;

/**
 * What a program asked in an episode, and what it was answered. A question that begins with an
 * earlier one and its answer, as they were sent or in an equal form, continues their tokens; every
 * other one is tokenized from its first message on.
 */
final class AgentHistory {
  private final ChatFormat chat;
  private final Tokenizer tokenizer;
  private final List<CapturedAnswer> answers = new ArrayList<>();
  private long clock;

  /** Nothing asked yet, of a model that is spoken to by {@code chat}. */
  AgentHistory(ChatFormat chat, Tokenizer tokenizer) {
    this.chat = chat;
    this.tokenizer = tokenizer;
  }

  /**
   * The tokens that the model sees of {@code said}.
   *
   * @param variables of the chat template, over those of the run; a question with others than an
   *     earlier one is tokenized from its first message on
   * @throws ApiException if the chat format has no tokens for it
   */
  synchronized CapturedAnswer.Question ask(ChatMessages said, Map<String, Object> variables) {
    List<Map<String, Object>> messages =
        said.messages().stream().map(ChatMessages::comparable).toList();
    CapturedAnswer before = before(messages, said.tools(), variables);
    try {
      return before == null ? begun(said, variables, messages) : continued(before, said, messages);
    } catch (UserException e) {
      throw ApiException.wrong("messages", "Invalid 'messages': " + e.getMessage() + ".");
    }
  }

  private @Nullable CapturedAnswer before(
      List<Map<String, Object>> messages, List<?> tools, Map<String, Object> variables) {
    CapturedAnswer longest = null;
    for (CapturedAnswer answer : answers) {
      if (!answer.cut()
          && answer.question().tools().equals(tools)
          && answer.question().variables().equals(variables)
          && answer.isPartOf(messages)
          && (longest == null
              || answer.question().messages().size() > longest.question().messages().size())) {
        longest = answer;
      }
    }
    return longest;
  }

  private CapturedAnswer.Question begun(
      ChatMessages said, Map<String, Object> variables, List<Map<String, Object>> messages) {
    List<Message> shown = shown(said.messages());
    int[] tokens = chat.with(variables).openingAsSent(shown, said.tools());
    return new CapturedAnswer.Question(
        messages, said.tools(), variables, tokens, shown, null, clock++);
  }

  private CapturedAnswer.Question continued(
      CapturedAnswer before, ChatMessages said, List<Map<String, Object>> messages) {
    int known = before.question().messages().size() + 1;
    List<Message> more = shown(said.messages().subList(known, messages.size()));
    List<Message> shown = new ArrayList<>(before.question().shown());
    shown.add(new Message("assistant", before.text()));
    shown.addAll(more);
    int[] written = before.response().tokens();
    Map<String, Object> variables = before.question().variables();
    int[] between = chat.with(variables).between(written, more);
    int[] tokens =
        Stream.of(before.question().tokens(), written, between)
            .flatMapToInt(Arrays::stream)
            .toArray();
    return new CapturedAnswer.Question(
        messages, said.tools(), variables, tokens, List.copyOf(shown), before, clock++);
  }

  private static List<Message> shown(List<Map<String, Object>> messages) {
    return messages.stream()
        .map(
            message ->
                new Message(
                    String.valueOf(message.get("role")),
                    ChatMessages.text(message),
                    message.get("name") instanceof String tool ? tool : null))
        .toList();
  }

  /**
   * Keeps an answer.
   *
   * @param stops texts that the client's answer is cut at
   * @param calls whether calls are told apart from text
   */
  synchronized CapturedAnswer add(
      CapturedAnswer.Question question, Generation response, List<String> stops, boolean calls)
      throws InterruptedException {
    SentAnswer sent = SentAnswer.of(tokenizer, question.tokens(), response, stops, calls);
    CapturedAnswer answer =
        new CapturedAnswer(
            answers.size(),
            question,
            response,
            ChatMessages.comparable(ChatMessages.echo(sent.message())),
            tokenizer.decode(response.tokens(), false),
            sent.cut(),
            clock++);
    answers.add(answer);
    return answer;
  }

  /** All answers so far, in their order. */
  synchronized List<CapturedAnswer> answers() {
    return List.copyOf(answers);
  }
}
