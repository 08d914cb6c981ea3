package roll.openai.request;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.strategy.Sampling;

/**
 * A request in any dialect: a conversation, and how the next response to it is generated.
 *
 * @param parameter name of the parameter with the conversation
 * @param said the conversation
 * @param prefix beginning of the response, which is not sampled; empty for none
 * @param variables of the chat template, which override those of the model
 * @param sampling sampling parameters; the maximum length is reduced to the available room
 * @param stopTokens token ids that end a response besides those of the model
 * @param choices number of responses
 * @param seed sampling seed
 * @param logProbs whether responses have log-probs
 * @param oneCall whether tool calls after the first are dropped
 * @param stream whether the answer is streamed
 */
public record ChatCall(
    String parameter,
    ChatMessages said,
    String prefix,
    Map<String, Object> variables,
    Sampling sampling,
    List<Integer> stopTokens,
    int choices,
    long seed,
    boolean logProbs,
    boolean oneCall,
    boolean stream) {

  /**
   * Returns the generation requested.
   *
   * @param prompt rendered from the conversation
   * @param stops tokens that end a response of the model
   * @param longest maximum number of tokens of prompt and response
   * @param toolCalls whether tool calls are parsed if the call has tools
   * @throws ApiException if the prompt leaves no room, or a call is forced and none is parsed
   */
  public GenerationSpec spec(int[] prompt, List<Integer> stops, int longest, boolean toolCalls) {
    if (!prefix.isEmpty() && !toolCalls) {
      throw ApiException.invalid(ToolChoice.NAME, "this server does not parse tool calls");
    }
    if (!prefix.isEmpty()
        && (sampling.structuredOutput() != null || !sampling.choices().isEmpty())) {
      throw ApiException.invalid(
          ToolChoice.NAME, "a call cannot be forced where the format of the response is");
    }
    int room = SamplingParams.room(parameter, prompt, longest);
    Set<Integer> all = new LinkedHashSet<>(stops);
    all.addAll(stopTokens);
    return new GenerationSpec(
        List.of(prompt),
        prefix,
        said.pictures(),
        choices,
        sampling.withMaxNewTokens(Math.min(room, sampling.maxNewTokens())),
        List.copyOf(all),
        seed,
        logProbs,
        toolCalls && !said.tools().isEmpty(),
        oneCall,
        stream);
  }
}
