package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;

/** Runs with a deployed malicious plugin. */
@Tag("framework")
@Timeout(240)
class HostilePluginTest {
  private static final String ID = "odd_lake";

  private final Path folder;

  HostilePluginTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeEach
  @AfterEach
  void undeploy() throws Exception {
    try {
      CommandsTest.run("roll:undeploy " + ID);
    } catch (UserException e) {
      // it is not installed
    }
  }

  /** A plugin that calls System.exit only fails its episodes. */
  @Test
  void aPluginCannotEndTheProcess() throws Exception {
    deploy(jar("1.0.0", ExitingEnvironment.class));
    TrainingRun run =
        start("max_steps=2", "custom_envs.FrozenLake.env_config={}", "env_monitor.hung_timeout=1");
    assertEquals(2, run.outcome().get().steps());
    String log = Files.readString(run.folder().resolve("run.log"));
    String line =
        "step threw java.lang.SecurityException: the plugin odd_lake 1.0.0 must not call"
            + " System.exit";
    assertTrue(log.contains(line), log);
    assertTrue(log.contains("step took longer than 1.0 s"), log);
  }

  /** A run that waits for a plugin keeps waiting after a refused jar registered it for a moment. */
  @Test
  void aRunWaitsOnWhereAJarIsRefused() throws Exception {
    deploy(new PluginJar(ID, "1.0.0"));
    TrainingRun run = start("max_steps=1000");
    Waits.await(run, status -> status.step() >= 1);
    CommandsTest.run("roll:undeploy " + ID);
    Waits.await(run, status -> status.state() == State.WAITING);
    for (int i = 0; i < 4; i++) {
      PluginJar late = jar("2." + i + ".0", LateEnvironment.class);
      UserException refused = assertThrows(UserException.class, () -> deploy(late));
      assertTrue(refused.getMessage().contains("there is no map"), refused.getMessage());
      Waits.await(run, status -> status.state() == State.WAITING);
    }
    int before = run.status().step();
    deploy(new PluginJar(ID, "3.0.0"));
    Waits.await(run, status -> status.step() > before);
    run.stop();
    run.outcome().get();
    String log = Files.readString(run.folder().resolve("run.log"));
    assertTrue(log.contains("no service roll.env=" + ID + ": waiting until"), log);
    assertTrue(log.contains("odd_lake 3.0.0"), log);
  }

  private static PluginJar jar(String version, Class<?> environment) throws Exception {
    return new PluginJar(ID, version)
        .with(environment)
        .component("roll.env.frozen_lake.FrozenLakeEnvironment", environment.getName());
  }

  private void deploy(PluginJar jar) throws Exception {
    CommandsTest.run("roll:deploy '" + jar.write(folder, "jar.jar") + "'");
  }

  private TrainingRun start(String... more) {
    List<String> overrides =
        SmallRuns.overrides(
            more,
            "exp_name=odd",
            "custom_envs.FrozenLake.env_type=" + ID,
            "eval_steps=0",
            "save_steps=1000",
            "track_with=[jsonl]");
    return SmallRuns.start("frozen_lake.yaml", folder, overrides);
  }
}
