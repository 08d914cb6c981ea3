package roll.cluster.inference.codec;

import java.nio.file.Path;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.Packing;
import roll.api.config.SchedulerArgs;
import roll.api.config.TokenBudgets;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.strategy.SessionConfig;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.OptionCodec;

/** What a session is opened with. Folders are those of the machine that wrote it. */
public final class SessionConfigCodec {
  private SessionConfigCodec() {}

  /** All of it. */
  public static void write(ByteWriter out, SessionConfig config) {
    out.of(config.worker(), SessionConfigCodec::write)
        .int64(config.seed())
        .float64(config.maxGradNorm())
        .int32(config.sequenceLength())
        .bool(config.synchronous())
        .int32(config.deviceCount())
        .int64(config.deviceMemory())
        .int32(config.nodes());
  }

  /** As {@link #write} wrote it. */
  public static SessionConfig config(ByteReader in) {
    return new SessionConfig(
        worker(in),
        in.int64(),
        in.float64(),
        in.int32(),
        in.bool(),
        in.int32(),
        in.int64(),
        in.int32());
  }

  private static void write(ByteWriter out, WorkerConfig worker) {
    out.text(worker.role())
        .of(worker.model(), SessionConfigCodec::write)
        .text(worker.template())
        .text(worker.strategy())
        .of(worker.strategyOptions(), OptionCodec::write)
        .of(worker.training(), SessionConfigCodec::write)
        .list(worker.devices(), ByteWriter::int32)
        .int32(worker.inferBatchSize())
        .int32(worker.budgets().train())
        .int32(worker.budgets().infer())
        .optional(
            worker.budgets().packing(),
            (to, packing) ->
                to.bool(packing.balanced())
                    .int32(packing.leastTrain())
                    .int32(packing.leastInfer()));
  }

  private static WorkerConfig worker(ByteReader in) {
    return new WorkerConfig(
        in.text(),
        model(in),
        in.text(),
        in.text(),
        OptionCodec.options(in),
        training(in),
        in.list(ByteReader::int32),
        in.int32(),
        new TokenBudgets(
            in.int32(),
            in.int32(),
            in.optional(from -> new Packing(from.bool(), from.int32(), from.int32()))));
  }

  private static void write(ByteWriter out, ModelConfig model) {
    out.text(model.folder().toString())
        .constant(model.dtype())
        .list(model.frozen(), ByteWriter::text)
        .bool(model.checkpointing())
        .bool(model.wideLogits())
        .optional(
            model.lora(),
            (to, lora) ->
                to.int32(lora.rank())
                    .float64(lora.alpha())
                    .float64(lora.dropout())
                    .list(lora.targets(), ByteWriter::text))
        .optional(model.adapter(), (to, folder) -> to.text(folder.toString()))
        .bool(model.randomWeights())
        .float64(model.temperature());
  }

  private static ModelConfig model(ByteReader in) {
    return new ModelConfig(
        Path.of(in.text()),
        in.constant(WorkerConfig.Dtype.values()),
        in.list(ByteReader::text),
        in.bool(),
        in.bool(),
        in.optional(
            from ->
                new LoraConfig(
                    from.int32(), from.float64(), from.float64(), from.list(ByteReader::text))),
        in.optional(from -> Path.of(from.text())),
        in.bool(),
        in.float64());
  }

  private static void write(ByteWriter out, TrainingConfig training) {
    out.float64(training.learningRate())
        .float64(training.weightDecay())
        .float64(training.beta1())
        .float64(training.beta2())
        .int32(training.microBatch())
        .int32(training.accumulation())
        .int32(training.replicas())
        .text(training.scheduler())
        .int32(training.warmupSteps())
        .int32(training.totalSteps());
    SchedulerArgs args = training.schedulerArgs();
    out.float64(args.minimum())
        .float64(args.cycles())
        .int32(args.stableSteps())
        .int32(args.decaySteps())
        .constant(args.warmup())
        .constant(args.decay())
        .float64(args.shares().warmup())
        .float64(args.shares().decay())
        .bool(args.shares().stable());
  }

  private static TrainingConfig training(ByteReader in) {
    return new TrainingConfig(
        in.float64(),
        in.float64(),
        in.float64(),
        in.float64(),
        in.int32(),
        in.int32(),
        in.int32(),
        in.text(),
        in.int32(),
        in.int32(),
        new SchedulerArgs(
            in.float64(),
            in.float64(),
            in.int32(),
            in.int32(),
            in.constant(SchedulerArgs.Curve.values()),
            in.constant(SchedulerArgs.Curve.values()),
            new SchedulerArgs.Shares(in.float64(), in.float64(), in.bool())));
  }
}
