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
import roll.openai.answer.AssistantReply;
import roll.openai.request.ApiException;
import roll.openai.request.ChatMessages;
import roll.openai.request.ToolChoice;
import roll.text.call.ThinkTags;

/**
 * The requests and completions of an episode. A request that begins with an earlier request and its
 * completion, as sent or in an equivalent form, continues their tokens. Any other request is
 * tokenized from its first message.
 */
final class AgentHistory {
  private final ChatFormat chat;
  private final Tokenizer tokenizer;
  private final List<CapturedCompletion> answers = new ArrayList<>();
  private long clock;

  /** Creates an empty history of a model with the chat format {@code chat}. */
  AgentHistory(ChatFormat chat, Tokenizer tokenizer) {
    this.chat = chat;
    this.tokenizer = tokenizer;
  }

  /**
   * Tokenizes the messages of the request {@code said}.
   *
   * @param variables of the chat template, which override those of the run; a request whose
   *     variables differ from those of an earlier one does not continue it
   * @param prefix beginning of the response, which is not sampled; empty for none
   * @throws ApiException if the chat format rejects it, or the prompt begins a thought
   */
  synchronized CapturedCompletion.Request ask(
      ChatMessages said, Map<String, Object> variables, String prefix) {
    List<Map<String, Object>> messages =
        said.messages().stream().map(ChatMessages::comparable).toList();
    List<@Nullable Object> tools = ChatMessages.comparable(said.tools());
    CapturedCompletion before = before(messages, tools, variables);
    try {
      CapturedCompletion.Request request =
          before == null
              ? begun(said, variables, tools, messages)
              : continued(before, said, messages);
      return prefix.isEmpty() ? request : forced(request, prefix);
    } catch (UserException e) {
      throw ApiException.wrong("messages", "Invalid 'messages': " + e.getMessage() + ".");
    }
  }

  private CapturedCompletion.Request forced(CapturedCompletion.Request request, String prefix) {
    if (ThinkTags.open(tokenizer, request.tokens())) {
      throw ToolChoice.inThought();
    }
    return request.withPrefix(prefix, tokenizer.encode(prefix));
  }

  /**
   * Returns the longest completion that {@code messages} continue, the earliest of several. The
   * latest is compared first, since shorter ones need no comparison then.
   */
  private @Nullable CapturedCompletion before(
      List<Map<String, Object>> messages, List<?> tools, Map<String, Object> variables) {
    CapturedCompletion longest = null;
    for (CapturedCompletion answer : answers.reversed()) {
      if (!answer.cut()
          && (longest == null
              || answer.request().messages().size() >= longest.request().messages().size())
          && answer.request().tools().equals(tools)
          && answer.request().variables().equals(variables)
          && answer.isPrefixOf(messages)) {
        longest = answer;
      }
    }
    return longest;
  }

  private CapturedCompletion.Request begun(
      ChatMessages said,
      Map<String, Object> variables,
      List<?> tools,
      List<Map<String, Object>> messages) {
    List<Message> shown = shown(said.messages());
    int[] tokens = chat.with(variables).openingAsSent(shown, said.tools());
    return new CapturedCompletion.Request(
        messages, tools, variables, tokens, "", shown, null, clock++);
  }

  private CapturedCompletion.Request continued(
      CapturedCompletion before, ChatMessages said, List<Map<String, Object>> messages) {
    int known = before.request().messages().size() + 1;
    // the equal messages of the earlier request, so that an episode keeps each once
    List<Map<String, Object>> kept = new ArrayList<>(before.request().messages());
    kept.add(before.message());
    kept.addAll(messages.subList(known, messages.size()));
    List<Message> more = shown(said.messages().subList(known, messages.size()));
    List<Message> shown = new ArrayList<>(before.request().shown());
    shown.add(new Message("assistant", before.text()));
    shown.addAll(more);
    int[] written = before.response().tokens();
    Map<String, Object> variables = before.request().variables();
    int[] between = chat.with(variables).between(written, more);
    int[] tokens =
        Stream.of(before.request().tokens(), written, between)
            .flatMapToInt(Arrays::stream)
            .toArray();
    return new CapturedCompletion.Request(
        List.copyOf(kept),
        before.request().tools(),
        variables,
        tokens,
        "",
        List.copyOf(shown),
        before,
        clock++);
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
   * Records a completion of the policy.
   *
   * @param stops stop strings of the client
   * @param calls whether tool calls are parsed
   */
  synchronized CapturedCompletion add(
      CapturedCompletion.Request request, Generation response, List<String> stops, boolean calls) {
    AssistantReply sent =
        AssistantReply.of(tokenizer, request.tokens(), request.prefix(), response, stops, calls);
    CapturedCompletion answer =
        new CapturedCompletion(
            answers.size(),
            request,
            response,
            ChatMessages.comparable(sent.message()),
            request.prefix() + tokenizer.decode(response.tokens(), false),
            sent.cut(),
            clock++);
    answers.add(answer);
    return answer;
  }

  /** Returns all completions of the episode, in order. */
  synchronized List<CapturedCompletion> completions() {
    return List.copyOf(answers);
  }
}
