package roll.openai.request;

import java.util.ArrayList;
import java.util.List;
import roll.api.data.RandomStreams;
import roll.api.image.Picture;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/**
 * What a request asks for.
 *
 * @param prompts tokens of each
 * @param pictures that each of them shows, in order
 * @param choices how many answers to each
 * @param sampling how they are drawn
 * @param stops tokens that end one
 * @param seed of the draw
 * @param logProbs whether those of the tokens are told
 * @param toolCalls whether calls are looked for in what the model writes
 * @param oneCall whether no call but the first is told
 * @param stream whether pieces are told as they come
 * @param usage whether the stream ends with what was used
 */
public record GenerationSpec(
    List<int[]> prompts,
    List<Picture> pictures,
    int choices,
    Sampling sampling,
    List<Integer> stops,
    long seed,
    boolean logProbs,
    boolean toolCalls,
    boolean oneCall,
    boolean stream,
    boolean usage) {

  /** The responses to generate: those of the first prompt, then those of the second … */
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

  /** Tokens of all prompts. */
  public int promptTokens() {
    return prompts.stream().mapToInt(prompt -> prompt.length).sum();
  }
}
