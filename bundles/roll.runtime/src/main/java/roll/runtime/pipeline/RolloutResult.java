package roll.runtime.pipeline;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.data.Trajectory;

/**
 * The result of a rollout.
 *
 * @param trajectories ordered by group, episode and member
 * @param metrics numbers of the rollout as a whole
 * @param pictures frames of the drawn episodes by trajectory id
 * @param faults the first failure of each kind
 * @param quarantined tags that should no longer be played
 */
public record RolloutResult(
    List<Trajectory> trajectories,
    Map<String, Double> metrics,
    Map<String, List<BufferedImage>> pictures,
    List<EpisodeFault> faults,
    Set<String> quarantined) {}
