package roll.openai.request;

import java.util.ArrayList;
import java.util.List;
import roll.api.data.RandomStreams;
import roll.api.image.Picture;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/**
 * The generation parameters of a request.
 *
 * @param prompts the tokens of each prompt
 * @param prefix beginning of the answers at the end of the prompts; empty for none
 * @param pictures the pictures of every prompt, in order
 * @param choices number of answers per prompt
 * @param sampling sampling parameters
 * @param stops stop strings
 * @param seed sampling seed
 * @param logProbs whether answers have log-probs
 * @param toolCalls whether tool calls are parsed
 * @param oneCall whether calls after the first are dropped
 * @param stream whether the answer is streamed
 */
public record GenerationSpec(
    List<int[]> prompts,
    String prefix,
    List<Picture> pictures,
    int choices,
    Sampling sampling,
    List<Integer> stops,
    long seed,
    boolean logProbs,
    boolean toolCalls,
    boolean oneCall,
    boolean stream) {

  /** Returns the requests to the engine, ordered by prompt and then by choice. */
  public List<GenerationRequest> requests() {
    List<GenerationRequest> requests = new ArrayList<>();
    for (int i = 0; i < prompts.size(); i++) {
      int[] prompt = prompts.get(i);
      long own = i == 0 ? seed : RandomStreams.seed(seed, "prompt", i);
      GenerationRequest request = new GenerationRequest(prompt, sampling, stops, own);
      requests.addAll(request.withPictures(pictures).sequences(choices));
    }
    return requests;
  }

  /** Returns the number of tokens of all prompts. */
  public int promptTokens() {
    return prompts.stream().mapToInt(prompt -> prompt.length).sum();
  }
}
