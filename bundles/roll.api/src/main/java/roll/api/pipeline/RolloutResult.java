package roll.api.pipeline;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import roll.api.data.Trajectory;

/**
 * What a rollout gave.
 *
 * @param trajectories ordered by group, episode and member
 * @param metrics numbers of the rollout as a whole
 * @param pictures frames of the drawn episodes by trajectory id
 */
public record RolloutResult(
    List<Trajectory> trajectories,
    Map<String, Double> metrics,
    Map<String, List<BufferedImage>> pictures) {}
