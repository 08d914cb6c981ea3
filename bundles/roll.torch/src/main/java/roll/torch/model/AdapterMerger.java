package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.decoder.DecoderParameters;
import roll.decoder.ModelMerger;
import roll.huggingface.ModelFolder;
import roll.huggingface.PeftFolder;
import roll.huggingface.Safetensors;
import roll.huggingface.TensorFormat;
import roll.torch.Device;
import roll.torch.Kernels;

/** Merges adapters into the weights of their model. */
@Component(name = "roll.torch.merging")
public final class AdapterMerger implements ModelMerger {
  private final Models models;

  /** Creates the service for model folders that {@code models} can read. */
  @Activate
  public AdapterMerger(@Reference Models models) {
    this.models = models;
  }

  @Override
  public void merge(Path adapters, @Nullable Path base, Path target) {
    PeftFolder peft = PeftFolder.open(adapters);
    ModelFolder folder = models.folder(base == null ? peft.base() : base).with(peft);
    if (!folder.hasWeights()) {
      throw new UserException(folder.path() + ": has no weights to merge adapters into");
    }
    if (Files.exists(target)) {
      throw new UserException(target + ": exists already; a new folder is needed");
    }
    Path place = target.toAbsolutePath().normalize();
    Path beside = place.resolveSibling("." + place.getFileName() + ".part");
    Device device = models.devices().whole();
    try {
      delete(beside);
      device.call(() -> write(device, folder, beside));
      Files.move(beside, place, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | UncheckedIOException e) {
      throw new UserException(target + ": cannot be written (" + e.getMessage() + ")", e);
    }
  }

  private Path write(Device device, ModelFolder folder, Path target) {
    try (Parameters parameters = models.read(device, folder, 0)) {
      merge(device, parameters);
      ModelWriter.model(target, folder, parameters, format(folder));
      return target;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Adds scale · B A of its adapter to each weight. The adapters remain and must not be applied
   * afterward. Only on the compute thread.
   */
  public static void merge(Device device, Parameters parameters) {
    Adapter adapter = Objects.requireNonNull(parameters.spec().adapter(), "no adapters");
    List<String> source = List.of(Kernels.source(AdapterMerger.class, "merge.py"));
    List<DecoderSpec.Parameter> all = DecoderParameters.of(parameters.spec());
    NDList tensors = parameters.tensors();
    try (Kernels kernels = Kernels.compile(device, Map.of(), source);
        NDManager results = device.newManager()) {
      NDArray weight = tensors.head();
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).name().endsWith(Adapter.A)) {
          // a weight, and its bias if it has one, is followed by the A and B of its adapter
          NDArray a = tensors.get(i);
          kernels.call(results, "merge", weight, a, tensors.get(i + 1), adapter.scale());
        } else if (!all.get(i).adapts() && all.get(i).shape().size() == 2) {
          weight = tensors.get(i);
        }
      }
    }
  }

  /** Returns the number format of the model's files. */
  private static TensorFormat format(ModelFolder folder) {
    try (Safetensors files = Safetensors.open(folder.path())) {
      return files.tensors().values().iterator().next().format();
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
