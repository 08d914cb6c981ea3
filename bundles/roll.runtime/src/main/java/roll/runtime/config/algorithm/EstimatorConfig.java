package roll.runtime.config.algorithm;

import java.util.Map;

/**
 * The advantage estimator of a run and its options.
 *
 * @param name id of the estimator ({@code adv_estimator})
 * @param args {@code adv_estimator_args}: its options, checked against those it has
 * @param defaults values of ROLL's keys for options that it may have
 * @param gamma discount by token
 * @param lambda decay of generalized advantage estimation
 */
public record EstimatorConfig(
    String name,
    Map<String, Object> args,
    Map<String, Object> defaults,
    double gamma,
    double lambda) {}
