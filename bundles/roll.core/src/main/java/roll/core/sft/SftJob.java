package roll.core.sft;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import roll.core.output.OutputFolder;
import roll.core.output.RunLog;
import roll.core.report.PipelineRun;
import roll.runtime.pipeline.SftRun;

/** A supervised warm start on a thread of its own. */
final class SftJob extends PipelineRun implements SftRun {
  private final AtomicBoolean stop;

  /** Creates a warm start that has not begun; its pipeline checks {@code stop}. */
  SftJob(OutputFolder folder, RunLog log, List<String> notices, AtomicBoolean stop) {
    super(folder, log, notices);
    this.stop = stop;
  }

  @Override
  public void stop() {
    stop.set(true);
  }
}
