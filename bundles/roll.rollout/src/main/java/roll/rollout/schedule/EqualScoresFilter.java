package roll.rollout.schedule;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Trajectory;
import roll.api.rollout.GroupFilter;
import roll.api.rollout.RollGroupFilter;

/**
 * Drops groups whose members all have the same score, which give no gradient (dynamic sampling, Yu
 * et al. 2025, DAPO, arXiv:2503.14476).
 */
@Component(name = "roll.rollout.equal_scores")
@RollGroupFilter({"equal_scores", "dapo"})
public final class EqualScoresFilter implements GroupFilter {
  @Override
  public boolean drops(List<Trajectory> group) {
    double first = group.getFirst().score();
    return group.size() > 1 && group.stream().allMatch(member -> member.score() == first);
  }
}
