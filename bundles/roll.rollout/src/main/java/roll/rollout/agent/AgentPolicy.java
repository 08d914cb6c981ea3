package roll.rollout.agent;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.env.Episode;
import roll.api.model.Tokenizer;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.Player;
import roll.api.rollout.Policy;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;
import roll.api.strategy.Sampling;
import roll.rollout.generation.GenerationBarrier;

/**
 * The policy of an episode that an agent plays. It bypasses the {@link GenerationBarrier}: the
 * agent runs on the thread of the episode. The environment reads its text unchanged; the tokens are
 * that text, tokenized, and the end-of-turn token. No model sampled them, so their log-probs are 0
 * and the version of the weights is −1.
 */
public final class AgentPolicy implements Policy {
  private static final long NO_WEIGHTS = -1;

  private final Player player;
  private final ChatFormat chat;
  private final Tokenizer tokenizer;
  private final IntToLongFunction seed;
  private final @Nullable AgentTools agent;
  private @Nullable Episode episode;
  private String text = "";

  /**
   * Creates the policy of an episode that has not begun.
   *
   * @param agent tools of the agent, or null
   * @param seed maps a turn to its seed
   */
  public AgentPolicy(
      Player player,
      ChatFormat chat,
      Tokenizer tokenizer,
      @Nullable AgentTools agent,
      IntToLongFunction seed) {
    this.agent = agent;
    this.player = player;
    this.chat = chat;
    this.tokenizer = tokenizer;
    this.seed = seed;
  }

  /** Sets the episode that the agent observes, before the first turn. */
  public void begin(Episode begun) {
    episode = begun;
  }

  @Override
  public boolean seesPictures() {
    return true;
  }

  @Override
  public Generation respond(Prompt prompt, Sampling sampling, int turn)
      throws InterruptedException {
    Episode played = Objects.requireNonNull(episode, "the episode has not begun");
    String said =
        player.respond(
            new AgentTurn(
                prompt.messages(),
                new AgentEpisodeView(played, agent, turn),
                sampling,
                seed.applyAsLong(turn),
                turn));
    text = agent == null ? said : said.substring(0, agent.type().kept(said));
    int[] tokens = tokenizer.encode(text);
    boolean ends = !chat.stops().isEmpty();
    if (ends) {
      tokens = Arrays.copyOf(tokens, tokens.length + 1);
      tokens[tokens.length - 1] = chat.stops().getFirst();
    }
    double[] certain = new double[tokens.length];
    return new Generation(tokens, certain, certain.clone(), ends, NO_WEIGHTS);
  }

  @Override
  public String text(Generation response, Tokenizer reader, boolean special) {
    return text;
  }
}
