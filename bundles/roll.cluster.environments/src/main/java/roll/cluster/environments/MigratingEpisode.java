package roll.cluster.environments;

import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.env.Episode;
import roll.api.env.Observation;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.UserException;
import roll.cluster.NodeLostException;
import roll.cluster.RemoteCallException;
import roll.cluster.environments.DistributedScenario.Site;
import roll.cluster.services.RemoteFailureException;

/**
 * Episode that moves to another node when its node is lost. It depends on its start and its
 * responses alone, so the next node replays the responses, and their steps are compared with the
 * earlier ones.
 */
final class MigratingEpisode implements Episode {
  private static final Logger LOG = LoggerFactory.getLogger(MigratingEpisode.class);

  private record Turn(String response, Step step) {}

  private final DistributedScenario scenario;
  private final Function<Scenario, Episode> reset;
  private final List<Turn> turns = new ArrayList<>();
  private final Set<Long> failed = new HashSet<>();
  private Site site;
  private @Nullable Episode episode;

  /** Begins an episode on a node, from which it may move. */
  MigratingEpisode(DistributedScenario scenario, Function<Scenario, Episode> reset) {
    this.scenario = scenario;
    this.reset = reset;
    this.site = scenario.site(failed);
    try {
      var unused = ask(Function.identity());
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Calls the episode on its node, or on the next one after a failure. */
  private <T> T ask(Function<Episode, T> question) {
    while (true) {
      RemoteEnvironment node = site.environment();
      try {
        Episode playing = episode == null ? begin() : episode;
        return question.apply(playing);
      } catch (NodeLostException | RemoteCallException e) {
        if (node == null) {
          throw e;
        }
        LOG.debug("an episode leaves {}", node.member(), e);
        leave(node);
      } catch (RemoteFailureException e) {
        if (node == null) {
          throw e;
        }
        LOG.debug("an episode failed at {}: does it here?", node.member(), e);
        leave(node);
        stay();
      } catch (UserException e) {
        if (node == null) {
          throw e;
        }
        scenario.unfit(node, String.valueOf(e.getMessage()));
        leave(node);
      }
    }
  }

  /** Begins the episode on a node and replays its responses. */
  private Episode begin() {
    Episode begun = reset.apply(site.scenario());
    episode = begun;
    for (int i = 0; i < turns.size(); i++) {
      Step again = begun.step(turns.get(i).response());
      if (!again.equals(turns.get(i).step())) {
        throw new IllegalStateException(
            "turn %d of an episode had another step in its replay, so its environment is not"
                    .formatted(i + 1)
                + " deterministic: it cannot be played on other nodes");
      }
    }
    return begun;
  }

  /** Moves the episode to another node. */
  private void leave(RemoteEnvironment node) {
    Episode left = episode;
    episode = null;
    scenario.ended(node);
    if (left != null) {
      left.close();
    }
    failed.add(node.member().uid());
    site = scenario.site(failed);
  }

  /** Moves the episode to this process. */
  private void stay() {
    RemoteEnvironment next = site.environment();
    if (next != null) {
      scenario.ended(next);
    }
    site = scenario.here();
  }

  @Override
  public String observation() {
    return ask(Episode::observation);
  }

  @Override
  public List<String> actions() {
    return ask(Episode::actions);
  }

  @Override
  public String respond(String action) {
    return ask(playing -> playing.respond(action));
  }

  @Override
  public Optional<String> expert() {
    return ask(Episode::expert);
  }

  @Override
  public Optional<BufferedImage> picture() {
    return ask(Episode::picture);
  }

  @Override
  public Observation observed() {
    return ask(Episode::observed);
  }

  @Override
  public Map<String, Object> facts() {
    return ask(Episode::facts);
  }

  @Override
  public Step step(String response) {
    Step step = ask(playing -> playing.step(response));
    turns.add(new Turn(response, step));
    return step;
  }

  @Override
  public Optional<BufferedImage> render() {
    return ask(Episode::render);
  }

  @Override
  public void close() {
    Episode playing = episode;
    episode = null;
    RemoteEnvironment node = site.environment();
    if (node != null) {
      scenario.ended(node);
      site = new Site(null, site.scenario());
    }
    if (playing != null) {
      playing.close();
    }
  }
}
