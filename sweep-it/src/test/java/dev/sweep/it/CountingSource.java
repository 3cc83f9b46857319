package dev.sweep.it;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Counts how often someone asks for a connection. */
final class CountingSource {

    private final DataSource source;
    private final AtomicInteger asked = new AtomicInteger();

    CountingSource(DataSource source) {
        this.source = source;
    }

    DataSource source() {
        return (DataSource) Proxy.newProxyInstance(
                CountingSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        asked.incrementAndGet();
                    }
                    try {
                        return method.invoke(source, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    int asked() {
        return asked.get();
    }
}
