package roll.ui.run;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the list of runs.
 *
 * @param id see {@link RunEntry}
 * @param name of the experiment
 * @param folder its absolute path
 * @param live whether it is a run of this process that has not ended
 * @param number among the runs of this process, or null
 * @param state of {@code RunStatus.State} in lower case, {@code interrupted} for one that was
 *     stopped; for a folder without a run of this process {@code running} if another process owns
 *     it, {@code finished}, {@code interrupted} or {@code failed} by its log, {@code killed} if
 *     that is incomplete, {@code ended} without a log
 * @param step number of completed steps
 * @param maxSteps or null
 * @param phase of the step, empty where there is none
 * @param waiting one line on what it waits for, why it failed, or the process that owns it, or null
 * @param served bundles and versions in use; empty if unknown
 * @param started ms since 1970, or null
 * @param ended ms since 1970, or null
 * @param updated when its folder was last written, ms since 1970
 * @param headline the last values of scores, rates of success and losses, by name of the metric
 */
public record RunSummary(
    String id,
    String name,
    String folder,
    boolean live,
    @Nullable Integer number,
    String state,
    int step,
    @Nullable Integer maxSteps,
    String phase,
    @Nullable String waiting,
    List<String> served,
    @Nullable Long started,
    @Nullable Long ended,
    long updated,
    Map<String, Double> headline) {}
