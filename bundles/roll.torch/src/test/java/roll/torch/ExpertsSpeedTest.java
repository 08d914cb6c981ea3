package roll.torch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.decoder.DecoderParameters;
import roll.testkit.SmallDecoder;
import roll.torch.model.Decoder;
import roll.torch.model.Parameters;

/**
 * The experts of a layer of Qwen3-30B-A3B, against the products of the same rows alone: what
 * choosing, sorting and adding up costs. Counted is the time that one thread computes, so that
 * other programs matter little; both in turn.
 */
@Tag("slow")
final class ExpertsSpeedTest {
  private static final DecoderSpec SPEC =
      SmallDecoder.decoder(8, 2048, 768, 1, 16, 16, Set.of()).of(new Experts(128, 8, true));
  private static final int ROUNDS = 3;
  private static final double ASKED = 0.6;

  /** The products of the experts alone, forward and backward. */
  private static final String ALONE =
      """
      def alone(self, x: List[Tensor], w: List[Tensor]) -> Tensor:
        parts = annotate(List[Tensor], [])
        for e in range(len(x)):
          if x[e].shape[0] > 0:
            first = e * self.EXPERT_SIZE
            gate = self.linear(x[e], w, self.GATE + first, False, -1, -1)
            parts.append(self.linear(x[e], w, self.UP + first, False, -1, -1)[:1, :1])
            parts.append(self.linear(gate, w, self.DOWN + first, False, -1, -1)[:1, :1])
        return torch.cat(parts)

      def alone_back(self, x: List[Tensor], w: List[Tensor]) -> Tensor:
        parts = annotate(List[Tensor], [])
        for e in range(len(x)):
          if x[e].shape[0] > 0:
            first = e * self.EXPERT_SIZE
            r = x[e].detach().requires_grad_(True)
            gate_w = w[self.GATE + first].detach().requires_grad_(True)
            up_w = w[self.UP + first].detach().requires_grad_(True)
            down_w = w[self.DOWN + first].detach().requires_grad_(True)
            gate = self.product(r, gate_w.to(self.COMPUTE), None)
            up = self.product(r, up_w.to(self.COMPUTE), None)
            inner = gate.detach().requires_grad_(True)
            y = self.product(inner, down_w.to(self.COMPUTE), None)
            found = torch.grad([gate, up, y], [r, gate_w, up_w, inner, down_w], annotate(List[Optional[Tensor]], [gate, up, y]))
            g = found[0]
            assert g is not None
            parts.append(g[:1])
        return torch.cat(parts)

      def chosen(self, h: Tensor, w: List[Tensor]) -> List[Tensor]:
        shares, chosen = self.route(h, w)
        order = torch.argsort(chosen.flatten(), stable=True, dim=0, descending=False)
        counts = annotate(List[int], torch.bincount(chosen.flatten(), None, self.EXPERTS).tolist())
        x = torch.embedding(h, torch.floor_divide(order, self.CHOSEN)).to(self.COMPUTE)
        return torch.split_with_sizes(x, counts, 0)

      def whole(self, h: Tensor, w: List[Tensor]) -> Tensor:
        return self.experts(h, w, -1)

      def whole_back(self, h: Tensor, w: List[Tensor]) -> Tensor:
        r = h.detach().requires_grad_(True)
        leaves = annotate(List[Tensor], [])
        for t in w:
          leaves.append(t.detach().requires_grad_(True))
        y = self.experts(r, leaves, -1)
        found = torch.grad([y], [r] + leaves, annotate(List[Optional[Tensor]], [y]), None, False, True)
        g = found[0]
        assert g is not None
        return g
      """;

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 1024})
  @Timeout(900)
  void near(int tokens, TestReporter reporter) {
    try (Device device = Device.cpu(1)) {
      device.call(
          () -> {
            measure(device, tokens, reporter);
            return true;
          });
    }
  }

  private static void measure(Device device, int tokens, TestReporter reporter) {
    Precision precision = Precision.of(Dtype.FP32);
    List<String> sources = new ArrayList<>(Decoder.sources(device, SPEC, precision));
    sources.add(ALONE);
    try (Kernels kernels = Kernels.compile(device, Decoder.constants(SPEC, precision), sources);
        NDManager manager = device.newManager()) {
      NDArray h = manager.randomNormal(new Shape(tokens, SPEC.hidden()));
      NDList weights = new NDList();
      for (DecoderSpec.Parameter parameter : DecoderParameters.layer(SPEC, 0)) {
        weights.add(manager.randomNormal(Parameters.shape(parameter)).muli(0.02f));
      }
      NDList rows = kernels.record(manager, "chosen", h, weights);
      double there = share(device, kernels, Map.of("alone", rows, "whole", new NDList(h)), weights);
      double back =
          share(device, kernels, Map.of("alone_back", rows, "whole_back", new NDList(h)), weights);
      reporter.publishEntry(
          "%d tokens".formatted(tokens),
          "products alone: %.2f of the time forward, %.2f there and back".formatted(there, back));
      assertTrue(tokens < 1024 || (there > ASKED && back > ASKED), there + ", " + back);
    }
  }

  /** The time of the products alone as a part of that of the whole. */
  private static double share(
      Device device, Kernels kernels, Map<String, NDList> ways, NDList weights) {
    double[] best = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
    for (int round = 0; round < ROUNDS; round++) {
      for (var way : ways.entrySet()) {
        int which = way.getKey().startsWith("alone") ? 0 : 1;
        Object given = which == 0 ? way.getValue() : way.getValue().head();
        try (NDManager small = device.newManager()) {
          long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
          kernels.record(small, way.getKey(), given, weights);
          long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
          best[which] = Math.min(best[which], (end - start) * 1e-9);
        }
      }
    }
    return best[0] / best[1];
  }
}
