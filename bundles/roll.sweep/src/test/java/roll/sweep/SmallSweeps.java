package roll.sweep;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.testkit.ExampleRunConfigs;

/** Sweeps of a program instead of training. */
final class SmallSweeps {
  /**
   * Notes in its folder that it was begun or continued, and writes a tenth of its seed as its
   * score. Of the seed {@code fail} it fails the first time, of {@code wait} it waits for the end
   * of its input, of {@code lose} it makes a folder in the way of the record.
   */
  private static final String PROGRAM =
      """
      call=begun
      for word; do case $word in
        output_dir=*) sweep=${word#*=} ;;
        exp_name=*) name=${word#*=} ;;
        seed=*) seed=${word#*=} ;;
        fail=*) fail=${word#*=} ;;
        wait=*) wait=${word#*=} ;;
        lose=*) lose=${word#*=} ;;
        resume_from_checkpoint=true) call=continued ;;
      esac; done
      mkdir -p "$sweep/$name" && cd "$sweep/$name" && echo $call >>calls
      [ $call = continued ] || [ "$seed" != "$fail" ] || { echo roll: out of luck; exit 2; }
      [ "$seed" != "$wait" ] || { read line; exit 130; }
      [ "$seed" != "$lose" ] || { mkdir -p ../.sweep.json.tmp/in/the/way; }
      echo '{"step":0,"metrics":{"val/score/mean":0.'$seed'}}' >metrics.jsonl
      """;

  private SmallSweeps() {}

  /** Sweeps whose output folder is {@code folder}. */
  static ProcessSweeper of(Path folder) {
    Trainer trainer =
        new Trainer() {
          @Override
          public List<String> check(LoadedConfig config) {
            return List.of();
          }

          @Override
          public TrainingRun start(LoadedConfig config) {
            throw new AssertionError();
          }

          @Override
          public List<TrainingRun> runs() {
            return List.of();
          }
        };
    ConfigLoader loader = (file, overrides) -> config(folder, file, overrides);
    return new ProcessSweeper(
        loader, trainer, null, null, () -> new RunLaunch(List.of("sh", "-c", PROGRAM, "sh")));
  }

  private static LoadedConfig config(Path folder, Path file, List<String> overrides) {
    RunConfig run =
        ExampleRunConfigs.tracked(ExampleRunConfigs.small(folder.resolve("small"), 1), "jsonl");
    String yaml = String.join("\n", overrides).replace("=", ": ");
    return new LoadedConfig(file, run, yaml, List.of(), Set.of(), Map.of());
  }
}
