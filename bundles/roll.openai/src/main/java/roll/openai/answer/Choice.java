package roll.openai.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A complete choice of an answer.
 *
 * @param logProbs log-probs of its tokens, or null
 */
public record Choice(List<Delta> pieces, Ending ending, @Nullable List<ScoredToken> logProbs) {}
