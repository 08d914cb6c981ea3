package roll.cluster.training;

import java.nio.file.Path;
import java.time.Duration;
import roll.cluster.inference.codec.DecoderSpecCodec;
import roll.cluster.inference.codec.SessionConfigCodec;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.parallel.collective.Member;
import roll.parallel.collective.RankGroup;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.shard.ParallelLayout.Recompute;
import roll.parallel.world.OptimizerStep;
import roll.parallel.world.RankOrder;
import roll.parallel.world.StateRun;
import roll.torch.training.AdamW;
import roll.torch.training.TrainState.Kind;

/** What ranks are opened with, and their steps, as bytes. */
final class OrderCodec {
  private OrderCodec() {}

  static void write(ByteWriter out, RankOrder order) {
    out.of(order.config(), SessionConfigCodec::write)
        .of(order.spec(), DecoderSpecCodec::write)
        .of(order.layout(), OrderCodec::write)
        .bool(order.trains());
  }

  static RankOrder order(ByteReader in) {
    return new RankOrder(
        SessionConfigCodec.config(in), DecoderSpecCodec.spec(in), layout(in), in.bool());
  }

  private static void write(ByteWriter out, ParallelLayout layout) {
    out.int32(layout.data())
        .int32(layout.pipeline())
        .int32(layout.tensor())
        .int32(layout.zero())
        .bool(layout.sequenceParallel())
        .constant(layout.recompute())
        .int64(layout.persistence())
        .bool(layout.prefetch())
        .bool(layout.offload().optimizer())
        .bool(layout.offload().parameters())
        .optional(layout.offload().folder(), (to, folder) -> to.text(folder.toString()))
        .list(layout.frozen(), ByteWriter::text);
  }

  private static ParallelLayout layout(ByteReader in) {
    return new ParallelLayout(
        in.int32(),
        in.int32(),
        in.int32(),
        in.int32(),
        in.bool(),
        in.constant(Recompute.values()),
        in.int64(),
        in.bool(),
        new Offload(in.bool(), in.bool(), in.optional(from -> Path.of(from.text()))),
        in.list(ByteReader::text));
  }

  static void write(ByteWriter out, RankGroup group) {
    out.text(group.name())
        .int64(group.epoch())
        .list(
            group.members(),
            (to, member) -> to.text(member.process()).text(member.address()).int32(member.card()))
        .int64(group.limit().toMillis())
        .bool(group.plain());
  }

  static RankGroup group(ByteReader in) {
    return new RankGroup(
        in.text(),
        in.int64(),
        in.list(from -> new Member(from.text(), from.text(), from.int32())),
        Duration.ofMillis(in.int64()),
        in.bool());
  }

  static void write(ByteWriter out, OptimizerStep step) {
    AdamW.Settings settings = step.settings();
    out.int64(step.number())
        .float64(step.rate())
        .float64(step.norm())
        .float64(settings.beta1())
        .float64(settings.beta2())
        .float64(settings.epsilon())
        .float64(settings.weightDecay())
        .float64(settings.maxGradNorm());
  }

  static OptimizerStep step(ByteReader in) {
    return new OptimizerStep(
        in.int64(),
        in.float64(),
        in.float64(),
        new AdamW.Settings(in.float64(), in.float64(), in.float64(), in.float64(), in.float64()));
  }

  static void write(ByteWriter out, StateRun run) {
    out.constant(run.kind()).int64(run.first()).int64(run.count());
  }

  static StateRun run(ByteReader in) {
    return new StateRun(in.constant(Kind.values()), in.int64(), in.int64());
  }
}
