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
 * An episode that is played on one node after another until it is over. It is a function of its
 * beginning and of the responses to it, so where a node is lost the next one hears the same
 * responses, and what they do is compared with what they did before.
 */
final class MigratingEpisode implements Episode {
  private static final Logger LOG = LoggerFactory.getLogger(MigratingEpisode.class);

  private record Turn(String response, Step step) {}

  private final DistributedScenario scenario;
  private final Function<Scenario, Episode> beginning;
  private final List<Turn> turns = new ArrayList<>();
  private final Set<Long> failed = new HashSet<>();
  private Site place;
  private @Nullable Episode episode;

  /** Begins it where there is room. */
  MigratingEpisode(DistributedScenario scenario, Function<Scenario, Episode> beginning) {
    this.scenario = scenario;
    this.beginning = beginning;
    this.place = scenario.place(failed);
    try {
      var unused = ask(Function.identity());
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Asks the episode where it is played, or where it is played next. */
  private <T> T ask(Function<Episode, T> question) {
    while (true) {
      RemoteEnvironment there = place.environment();
      try {
        Episode playing = episode == null ? begin() : episode;
        return question.apply(playing);
      } catch (NodeLostException | RemoteCallException e) {
        if (there == null) {
          throw e;
        }
        LOG.debug("an episode leaves {}", there.member(), e);
        leave(there);
      } catch (RemoteFailureException e) {
        if (there == null) {
          throw e;
        }
        LOG.debug("an episode failed at {}: does it here?", there.member(), e);
        leave(there);
        stay();
      } catch (UserException e) {
        if (there == null) {
          throw e;
        }
        scenario.unfit(there, String.valueOf(e.getMessage()));
        leave(there);
      }
    }
  }

  /** Begins it and goes to where it was. */
  private Episode begin() {
    Episode begun = beginning.apply(place.scenario());
    episode = begun;
    for (int i = 0; i < turns.size(); i++) {
      Step again = begun.step(turns.get(i).response());
      if (!again.equals(turns.get(i).step())) {
        throw new IllegalStateException(
            "turn %d of an episode went another way when it was played again, so its environment does"
                    .formatted(i + 1)
                + " not depend on its seed and the responses alone: no node should play it");
      }
    }
    return begun;
  }

  /** Plays it elsewhere from now on. */
  private void leave(RemoteEnvironment there) {
    Episode left = episode;
    episode = null;
    scenario.ended(there);
    if (left != null) {
      left.close();
    }
    failed.add(there.member().uid());
    place = scenario.place(failed);
  }

  /** Plays it here from now on. */
  private void stay() {
    RemoteEnvironment next = place.environment();
    if (next != null) {
      scenario.ended(next);
    }
    place = scenario.here();
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
    RemoteEnvironment there = place.environment();
    if (there != null) {
      scenario.ended(there);
      place = new Site(null, place.scenario());
    }
    if (playing != null) {
      playing.close();
    }
  }
}
