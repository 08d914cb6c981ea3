package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import aQute.bnd.osgi.Builder;
import aQute.bnd.osgi.Jar;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.service.component.annotations.Component;

/** A plugin built against the last release runs in a later roll. */
@Tag("processes")
@Timeout(300)
class OldPluginTest {
  private static final Path ROOT = Path.of(System.getProperty("roll.root"));
  private static final String API = "roll.api.jar";
  private static final String REFUSED =
      "2: roll: refused old\\.jar: old 1\\.0\\.0: it was built for another version of roll\\.api:"
          + " it needs package roll\\.api\\.estimator in \\[\\S+\\), but roll\\.api \\S+ has"
          + " version \\d+\\.0\\.0\n";
  private static final String SOURCE =
      """
      package old;

      import org.osgi.service.component.annotations.Component;
      import roll.api.estimator.AdvantageEstimator;
      import roll.api.estimator.Advantages;
      import roll.api.estimator.EstimatorInfo;
      import roll.api.estimator.RollEstimator;
      import roll.api.estimator.TokenRewards;
      import roll.api.option.Options;

      @Component
      @RollEstimator("old")
      public final class OldEstimator implements AdvantageEstimator {
        @Override
        public EstimatorInfo info() {
          return EstimatorInfo.of("outcome", "A_t = s", "a test");
        }

        @Override
        public Advantages estimate(TokenRewards rewards, Options options) {
          return Advantages.of(rewards.spread(rewards.outcomes()));
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void aMinorStepKeepsIt() throws Exception {
    Path plugin = plugin();
    Path output = folder.resolve("output");
    try (LaterRoll roll = LaterRoll.minor(folder.resolve("minor"))) {
      assertEquals(
          "0: deployed old 1.0.0: roll.estimator=old\n", roll.run("deploy", plugin.toString()));
      String said =
          roll.run(
              "train",
              ROOT.resolve("configs/frozen_lake.yaml").toString(),
              "adv_estimator=old",
              "output_dir=" + output,
              "max_steps=2",
              "eval_steps=0",
              "save_steps=0",
              "rollout_batch_size=16",
              "val_batch_size=16",
              "train_env_manager.num_env_groups=2",
              "val_env_manager.num_env_groups=16",
              "actor_train.training_args.per_device_train_batch_size=4");
      assertTrue(said.startsWith("0: "), said);
    }
    List<String> steps = Files.readAllLines(output.resolve("frozen_lake/metrics.jsonl"));
    assertEquals(2, steps.size(), steps::toString);
    assertTrue(Files.readString(output.resolve("frozen_lake/run.log")).contains("old 1.0.0"));
  }

  @Test
  void aMajorStepRefusesItInOneLine() throws Exception {
    try (LaterRoll roll = LaterRoll.major(folder.resolve("major"))) {
      String said = roll.run("deploy", plugin().toString());
      assertTrue(said.matches(REFUSED), said);
    }
  }

  /** Builds the plugin like {@code roll new}: javac, then bnd. */
  private Path plugin() throws Exception {
    Path source = folder.resolve("old/OldEstimator.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, SOURCE);
    List<File> libraries = new ArrayList<>(contract());
    libraries.add(
        new File(Component.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
    Path classes = folder.resolve("classes");
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-d",
                classes.toString(),
                "-cp",
                libraries.stream()
                    .map(File::getPath)
                    .collect(Collectors.joining(File.pathSeparator)),
                source.toString());
    assertEquals(0, status, "does not compile against the contract");
    try (Builder builder = new Builder()) {
      builder.addClasspath(classes.toFile());
      builder.addClasspath(libraries);
      builder.setProperty("Bundle-SymbolicName", "old");
      builder.setProperty("Bundle-Version", "1.0.0");
      builder.setProperty("-privatepackage", "old");
      Jar jar = builder.build();
      assertTrue(builder.check(), () -> builder.getErrors().toString());
      Path file = folder.resolve("old.jar");
      jar.write(file.toFile());
      return file;
    }
  }

  /** Returns the last release, or the next one if it is broken on purpose. */
  private List<File> contract() throws Exception {
    Path contract = Contract.RELEASED;
    if (!Files.exists(contract.resolve(API)) || !Contract.built().keeps(of(contract))) {
      contract = folder.resolve("next");
      Contract.release(contract);
    }
    try (Stream<Path> jars = Files.list(contract)) {
      return jars.sorted().map(Path::toFile).toList();
    }
  }

  private static Contract of(Path released) throws Exception {
    try (JarFile jar = new JarFile(released.resolve(API).toFile())) {
      return Contract.of(jar.getManifest());
    }
  }
}
