package roll.rollout.program;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.strategy.Generation;

/**
 * A completion of the policy, as sampled and as sent.
 *
 * @param number index in its episode, from 0
 * @param request its request
 * @param response the sampled tokens
 * @param message the message as a client sends it back, without ids
 * @param text the text as the model wrote it, with the prefix and tool calls
 * @param cut whether the client received it without its end, a stop string
 * @param time logical time of completion, on the clock of {@link Request#time}
 */
record CapturedCompletion(
    int number,
    Request request,
    Generation response,
    Map<String, Object> message,
    String text,
    boolean cut,
    long time) {
  /**
   * A request of a program.
   *
   * @param messages without ids, as {@link #message}
   * @param tools the tools, in a form in which equal ones are equal
   * @param variables variables of the chat template
   * @param tokens the prompt
   * @param prefix beginning of the response at the end of the prompt; empty for none
   * @param shown messages of the prompt
   * @param before the completion whose tokens the prompt continues, or null
   * @param time logical time of arrival, unique among the requests and completions of an episode
   */
  record Request(
      List<Map<String, Object>> messages,
      List<?> tools,
      Map<String, Object> variables,
      int[] tokens,
      String prefix,
      List<Message> shown,
      @Nullable CapturedCompletion before,
      long time) {
    /** Returns the request with a prompt that ends with the beginning of the response. */
    Request withPrefix(String begun, int[] more) {
      int[] all = Arrays.copyOf(tokens, tokens.length + more.length);
      System.arraycopy(more, 0, all, tokens.length, more.length);
      return new Request(messages, tools, variables, all, begun, shown, before, time);
    }
  }

  /** Returns whether {@code later} begins with the request and this completion. */
  boolean isPrefixOf(List<Map<String, Object>> later) {
    int asked = request.messages().size();
    return later.size() > asked
        && later.subList(0, asked).equals(request.messages())
        && later.get(asked).equals(message);
  }

  /** Returns whether {@code later} begins with the request but omits this completion. */
  private boolean isOmittedFrom(Request later) {
    List<Map<String, Object>> messages = later.messages();
    int asked = request.messages().size();
    return later.time() > time
        && messages.size() >= asked
        && messages.subList(0, asked).equals(request.messages())
        && !isPrefixOf(messages);
  }

  /** Returns whether the tokens of {@code request} continue those of this completion. */
  boolean isContinuedBy(Request request) {
    return request.before() != null && request.before().number() == number;
  }

  /**
   * Returns whether the program dropped or edited this completion: no request continues it, and a
   * later one continues its request without it.
   *
   * @param all completions of the episode
   */
  boolean isDropped(List<CapturedCompletion> all) {
    return all.stream().noneMatch(answer -> isContinuedBy(answer.request()))
        && all.stream().anyMatch(answer -> isOmittedFrom(answer.request()));
  }
}
