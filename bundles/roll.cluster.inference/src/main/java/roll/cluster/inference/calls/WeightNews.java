package roll.cluster.inference.calls;

import roll.cluster.services.RemoteContract;

/** A node that hears of weights. */
@FunctionalInterface
public interface WeightNews {
  /** What is called. */
  RemoteContract<WeightNews> CONTRACT = new RemoteContract<>("inference", WeightNews.class);

  /** The version of a role's weights that is the newest. */
  void newest(String role, long version);
}
