package roll.shell.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.runtime.config.LoadedConfig;
import roll.testkit.ExampleRunConfigs;

class NoticeListTest {
  private static final String MISTAKE =
      "key 'kl_loss_coef' has no effect here: use_kl_loss is false";
  private static final String WORKERS = "key 'a.max_env_num_per_worker' has no effect here: one";
  private static final String MEMORY =
      "actor_infer.strategy_args.strategy_config.gpu_memory_utilization has no effect: no GPU";
  private static final String BLOCKS =
      "actor_infer.strategy_args.strategy_config.block_size has no effect: own pages";
  private static final String OFFLOAD = "key 'offload_nccl' has no effect here: no NCCL";

  private static LoadedConfig config(String... notices) {
    return new LoadedConfig(
        Path.of("a.yaml"),
        ExampleRunConfigs.small(Path.of("model"), 1),
        "",
        Map.of(),
        List.of(notices),
        Set.of(WORKERS, OFFLOAD),
        Set.of(),
        Map.of(),
        null);
  }

  @Test
  void whatMayBeAMistakeIsSeenAmongWhatNeverDoesAnything() {
    LoadedConfig config = config(WORKERS, OFFLOAD, MEMORY, MISTAKE, BLOCKS);
    assertEquals(
        List.of(
            MISTAKE,
            "4 keys have no effect here (a.max_env_num_per_worker, offload_nccl,"
                + " actor_infer.strategy_args.strategy_config.gpu_memory_utilization, …);"
                + " `check --full` explains each"),
        NoticeList.of(config).lines());
    assertEquals(List.of(MISTAKE, WORKERS, OFFLOAD, MEMORY, BLOCKS), NoticeList.of(config).all());
  }

  @Test
  void oneIsSaidWhole() {
    assertEquals(List.of(MISTAKE, WORKERS), NoticeList.of(config(WORKERS, MISTAKE)).lines());
    assertEquals(List.of(), NoticeList.of(config()).lines());
  }

  @Test
  void aLineMovesNoTextOfTheTerminal() {
    assertEquals(
        "notice: file \uFFFDgnp.exe\uFFFD[31m", NoticeList.line("file \u202Egnp.exe\u001b[31m"));
  }
}
