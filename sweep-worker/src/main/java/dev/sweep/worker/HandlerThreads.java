package dev.sweep.worker;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Makes the threads that run handlers: virtual ones on Java 21 and later, else platform ones; all are daemons. Looked up by
 * name, because this code is compiled for Java 17.
 */
final class HandlerThreads {

    private static final int FIRST_WITH_VIRTUAL = 21;
    private static final @Nullable VirtualBuilder VIRTUAL = VirtualBuilder.lookUp();

    private HandlerThreads() {}

    static Thread unstarted(String name, Runnable body) {
        return VIRTUAL == null ? platform(name, body) : VIRTUAL.unstarted(name, body);
    }

    private static Thread platform(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        return thread;
    }

    /** {@code Thread.ofVirtual().name(name).unstarted(body)}. */
    private record VirtualBuilder(Method ofVirtual, Method name, Method unstarted) {

        static @Nullable VirtualBuilder lookUp() {
            if (Runtime.version().feature() < FIRST_WITH_VIRTUAL) {
                return null;
            }
            try {
                Class<?> builder = Class.forName("java.lang.Thread$Builder");
                return new VirtualBuilder(
                        Thread.class.getMethod("ofVirtual"),
                        builder.getMethod("name", String.class),
                        builder.getMethod("unstarted", Runnable.class));
            } catch (ReflectiveOperationException unlikeTheJavaWeKnow) {
                return null;
            }
        }

        Thread unstarted(String threadName, Runnable body) {
            try {
                return (Thread) unstarted.invoke(name.invoke(ofVirtual.invoke(null), threadName), body);
            } catch (ReflectiveOperationException refused) {
                return platform(threadName, body);
            }
        }
    }
}
