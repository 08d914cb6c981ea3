package roll.core.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.SessionActivity;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.api.rank.CollectiveVolume;
import roll.api.strategy.SessionConfig;
import roll.core.plugin.StrategyChecks;
import roll.decoder.DecoderParameters;
import roll.decoder.ModelSpecs;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.ClusterShape;
import roll.runtime.pipeline.TrafficPlan;
import roll.runtime.pipeline.TrafficPlan.Row;

/**
 * Estimates communication and compute of the phases of a step if all roles share a number of
 * accelerators and every sequence has the maximum length.
 *
 * <p>A forward pass over T tokens with N weights takes 2 N T operations, forward and backward 6 N
 * T, and recomputation another 2 N T (Narayanan et al. 2021, appendix; without attention scores);
 * with experts N counts the chosen ones. Generation is token by token, and each pass reads all
 * weights. Weights are sent to every machine once: a network link receives them once and sends them
 * at most once.
 */
final class TrafficBuilder {
  /** Numbers per token that an engine sends: token id and two log-probs. */
  private static final int TOKEN_BYTES = 4 + 8 + 8;

  /** Bytes per scored token: its id, its flag, and three result columns. */
  private static final int SCORE_BYTES = 4 + 1 + 3 * 8;

  private final RunConfig run;
  private final StrategyChecks strategies;
  private final ModelSpecs models;
  private final ClusterShape shape;

  TrafficBuilder(RunConfig run, StrategyChecks strategies, ModelSpecs models, ClusterShape shape) {
    this.run = run;
    this.strategies = strategies;
    this.models = models;
    this.shape = shape;
  }

  TrafficPlan build() {
    List<Row> rows = new ArrayList<>();
    Map<Integer, String> refusals = new TreeMap<>();
    for (int gpus : shape.gpus()) {
      try {
        rows.addAll(rows(gpus));
      } catch (UserException refused) {
        refusals.put(gpus, String.valueOf(refused.getMessage()));
      }
    }
    return new TrafficPlan(rows, refusals);
  }

  private List<Row> rows(int gpus) {
    List<Row> rows = new ArrayList<>();
    rows.add(update(gpus));
    for (PhaseRoles phase : PhaseRoles.of(run)) {
      for (Map.Entry<String, SessionActivity> work : phase.roles().entrySet()) {
        WorkerConfig worker = run.roles().byName().get(work.getKey());
        if (worker != null) {
          String name =
              phase.roles().size() == 1 ? phase.phase() : phase.phase() + "/" + work.getKey();
          rows.add(row(gpus, name, worker, work.getValue()));
        }
      }
    }
    return rows;
  }

  /**
   * Estimates the transfer of new weights to the engines; nothing where they share the trainer's
   * weights.
   */
  private Row update(int gpus) {
    WorkerConfig engine = run.roles().actorInfer();
    DecoderSpec spec = models.of(engine, false);
    long numbers =
        spec.adapter() == null
            ? DecoderParameters.size(spec)
            : DecoderParameters.size(spec) - DecoderParameters.size(spec.with(null));
    double bytes = (double) numbers * (engine.model().dtype() == Dtype.BF16 ? 2 : 4);
    double wire = shape.nodes(gpus) > 1 ? bytes : 0;
    double link = gpus > 1 ? bytes : 0;
    return new Row(
        gpus, "model_update", wire, link, 0, 0, wire / shape.wire(), link / shape.link());
  }

  private Row row(int gpus, String phase, WorkerConfig worker, SessionActivity activity) {
    WorkerConfig scaled = scaled(worker, gpus);
    SessionConfig session = run.session(scaled);
    var unused = strategies.check(run, worker.role(), scaled);
    DecoderSpec spec = models.of(worker, run.roles().valued(worker.role()));
    long samples = run.schedule().rolloutBatchSize();
    double tokens = (double) samples * session.sequenceLength();
    double weights = DecoderParameters.size(spec);
    double active = DecoderParameters.active(spec);
    List<CollectiveVolume> traffic =
        strategies.traffic(worker.role(), session, spec, activity, samples);
    double wire = traffic.stream().mapToDouble(e -> e.leaving(shape.perNode())).sum();
    double link = traffic.stream().mapToDouble(e -> e.within(shape.perNode())).sum();
    double reading = 0;
    double operations = 2;
    if (activity == SessionActivity.TRAIN) {
      operations = worker.model().checkpointing() ? 8 : 6;
    } else {
      // to and from the first machine, whose wire carries what all others have
      double others = 1 - Math.min(1, shape.perNode() / (double) gpus);
      boolean writes = activity == SessionActivity.GENERATE;
      wire += others * tokens * (writes ? TOKEN_BYTES : traffic.isEmpty() ? SCORE_BYTES : 0);
      if (writes) {
        int wide = worker.model().dtype() == Dtype.BF16 ? 2 : 4;
        reading = session.sequenceLength() * weights * wide / shape.memory();
      }
    }
    return new Row(
        gpus,
        phase,
        wire,
        link,
        operations * active * tokens / gpus / shape.compute(),
        reading,
        wire / shape.wire(),
        link / shape.link());
  }

  /** Returns {@code worker} on the first {@code gpus} devices. */
  private static WorkerConfig scaled(WorkerConfig worker, int gpus) {
    return worker.withDevices(IntStream.range(0, gpus).boxed().toList());
  }
}
