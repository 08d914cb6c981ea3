package roll.assemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.PreferenceConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.SftConfig;
import roll.runtime.distribution.AssembledDistribution;
import roll.testkit.ExampleRunConfigs;

/** Files in a distribution for supervised fine-tuning. */
class SftDistributionTest {
  @TempDir Path folder;
  private Workshop workshop;
  private SftConfig sft;
  private String yaml;

  @BeforeEach
  void demonstrations() throws IOException {
    workshop =
        new Workshop(folder).deploy("dataset.jar", Workshop.bundle("roll.dataset", "", "", ""));
    Path train = Files.writeString(folder.resolve("demos.jsonl"), "{}");
    Path absent = folder.resolve("absent.jsonl");
    yaml =
        "pretrain: MODEL\nsft:\n  train_files:\n  - " + train + "\n  val_files: " + absent + "\n";
    sft =
        new SftConfig(
            List.of(train),
            List.of(absent),
            "prompt",
            "response",
            "messages",
            null,
            SftConfig.Truncation.ERROR,
            true,
            1,
            0);
  }

  private AssembledDistribution assemble(RunConfig run) throws IOException {
    LoadedConfig config = config(run, sft);
    return BndAssembler.assemble(workshop.home(), config, folder.resolve("out"), false, List.of());
  }

  private LoadedConfig config(RunConfig run, SftConfig data) throws IOException {
    LoadedConfig plain = workshop.config(yaml);
    return new LoadedConfig(
        plain.file(),
        run,
        plain.effectiveYaml(),
        Map.of(),
        List.of(),
        Set.of(),
        Set.of(),
        Map.of(),
        data);
  }

  private RunConfig small() {
    return ExampleRunConfigs.small(folder.resolve("model"), 1);
  }

  @Test
  void theFilesAndWhatReadsThemAndNoEnvironment() throws IOException {
    AssembledDistribution assembly = assemble(ExampleRunConfigs.withoutEnvironments(small()));
    List<String> bundles = assembly.bundles();
    assertTrue(
        bundles.containsAll(List.of("roll.dataset", "worker.actor_train", "unigram", "tiny")));
    for (String none : List.of("game", "grpo", "ppo", "worker.actor_infer", "worker.critic")) {
      assertFalse(bundles.contains(none), none);
    }
    assertEquals(
        "# Assembled from small.yaml\npretrain: models/model\nsft:\n  train_files:\n"
            + "  - data/demos.jsonl\n  val_files: "
            + folder.resolve("absent.jsonl")
            + "\n",
        Files.readString(folder.resolve("out/small.yaml")));
    assertEquals("{}", Files.readString(folder.resolve("out/data/demos.jsonl")));
    assertEquals(
        List.of("sft: " + folder.resolve("absent.jsonl") + " does not exist and is not copied"),
        assembly.notices().stream().filter(notice -> notice.startsWith("sft")).toList());
    assertTrue(
        Files.readString(folder.resolve("out/README.txt")).contains("./roll sft small.yaml"));
    assertTrue(
        Files.readString(folder.resolve("out/CONTENTS.md"))
            .contains("| roll.dataset | 1.0.0 | 1 |  | sft.train_files |"));
  }

  @Test
  void preferencesNeedTheirObjective() throws IOException {
    SftConfig pairs =
        new SftConfig(
            sft.trainFiles(),
            List.of(),
            "prompt",
            "completion",
            "messages",
            null,
            SftConfig.Truncation.DROP,
            true,
            1,
            0,
            new PreferenceConfig("ipo", Map.of(), "chosen", "rejected", "label"));
    List<CapabilityNeed> needs =
        ConfigNeeds.of(config(ExampleRunConfigs.withoutEnvironments(small()), pairs));
    assertTrue(
        needs.contains(new CapabilityNeed("roll.preference", "ipo", "preference.objective: ipo")),
        needs.toString());
  }

  @Test
  void aTrainingRunThatNamesDemonstrationsHasBoth() throws IOException {
    List<String> bundles = assemble(small()).bundles();
    assertTrue(bundles.containsAll(List.of("roll.dataset", "game", "grpo", "worker.actor_infer")));
    assertTrue(Files.exists(folder.resolve("out/data/demos.jsonl")));
    assertTrue(
        Files.readString(folder.resolve("out/README.txt")).contains("./roll train small.yaml"));
  }
}
