package roll.rollout.replay;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.api.config.EnvConfig;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.plugin.Plugins;
import roll.api.rollout.ChatFormats;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.RunConfig;
import roll.runtime.replay.ReplayedEpisode;
import roll.runtime.replay.Replays;

/** Replays recorded episodes, one at a time, since training may run alongside. */
@Component(name = "roll.rollout.replay")
public final class ReplayService implements Replays {
  private static final long SECONDS_IN_LINE = 20;

  private final Plugins plugins;
  private final ConfigLoader configs;
  private final ChatFormats formats;
  private final @Nullable TokenizerLoader tokenizers;
  private final Semaphore turn = new Semaphore(1, true);

  /** Creates a service; without {@code tokenizers} no prompt can be measured. */
  @Activate
  public ReplayService(
      @Reference Plugins plugins,
      @Reference ConfigLoader configs,
      @Reference ChatFormats formats,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable TokenizerLoader tokenizers) {
    this.plugins = plugins;
    this.configs = configs;
    this.formats = formats;
    this.tokenizers = tokenizers;
  }

  @Override
  public ReplayedEpisode play(Path run, String line, boolean own) throws InterruptedException {
    RecordedEpisode episode = RecordedLine.episode(line);
    RunConfig config = configs.loadForRollout(run.resolve("config.yaml"), List.of()).run();
    EnvConfig env = config.rollout().customEnvs().get(episode.key().tag());
    if (env == null) {
      throw new UserException(
          "custom_envs.%s is no longer in %s"
              .formatted(episode.key().tag(), run.resolve("config.yaml")));
    }
    if (!turn.tryAcquire(SECONDS_IN_LINE, TimeUnit.SECONDS)) {
      throw new UserException("other episodes are being replayed, try again later");
    }
    try (RunChatFormat model = new RunChatFormat(config, formats, own ? tokenizers : null)) {
      return new Replay(config, env, episode)
          .play(() -> new ReplaySetup(plugins, env, model, config.sequenceLength(), own), model);
    } finally {
      turn.release();
    }
  }
}
