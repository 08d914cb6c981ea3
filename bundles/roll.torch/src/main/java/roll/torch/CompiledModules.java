package roll.torch;

import ai.djl.MalformedModelException;
import ai.djl.Model;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The TorchScript modules of a device by their source. They have no state and are kept until the
 * device closes: sessions that are opened again, and models of one shape, do not compile again.
 *
 * <p>Used on the device's compute thread alone.
 */
final class CompiledModules implements AutoCloseable {
  private final Map<String, Model> modules = new HashMap<>();

  /** Returns the module with {@code source}, compiled for {@code device} if it is new. */
  Model get(Device device, String source) {
    Model module = modules.get(source);
    if (module == null) {
      module = compile(device, source);
      modules.put(source, module);
    }
    return module;
  }

  private static Model compile(Device device, String source) {
    Model model = device.engine().newModel("kernels", device.place());
    try {
      model.load(new ByteArrayInputStream(KernelArchive.of(source)));
      return model;
    } catch (IOException | MalformedModelException failure) {
      model.close();
      throw new IllegalStateException("kernels cannot be loaded", failure);
    } catch (RuntimeException failure) {
      model.close();
      throw failure;
    }
  }

  @Override
  public void close() {
    modules.values().forEach(Model::close);
    modules.clear();
  }
}
