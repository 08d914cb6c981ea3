package roll.rollout.agent;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.env.Episode;
import roll.api.env.Scenario;
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
 * An agent in one episode. It never joins a {@link GenerationBarrier}: each response is written on
 * the episode's own thread. The agent writes text, which the world reads as it is; the tokens of a
 * response are those the tokenizer gives that text, and the end of the turn. No model drew them, so
 * their log-probs are 0, as if nothing else could have been said, and the version of the weights is
 * −1.
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
   * The agent of an episode that is not yet begun.
   *
   * @param agent what calls tools for it, or null
   * @param seed of a turn
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

  /** {@code scenario}; the episode that it begins is the one this agent looks at. */
  public Scenario capturing(Scenario scenario) {
    return new CapturingScenario(scenario, begun -> episode = begun);
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
